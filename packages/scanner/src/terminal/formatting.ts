import { styleText } from 'node:util';
import stringWidth from 'string-width';

/** A column of a table. */
export interface Column {
  readonly title: string;
  readonly align: 'left' | 'right';
}

/** Formats a table with aligned columns and without trailing spaces. */
export function textTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const titles = columns.map(({ title }) => title);
  const widths = columns.map((_, at) =>
    Math.max(...[titles, ...rows].map((cells) => stringWidth(cells[at] ?? ''))),
  );
  const line = (cells: readonly string[]) =>
    columns
      .map(({ align }, at) => {
        const cell = cells[at] ?? '';
        const padding = ' '.repeat((widths[at] ?? 0) - stringWidth(cell));
        return align === 'left' ? `${cell}${padding}` : `${padding}${cell}`;
      })
      .join('  ')
      .trimEnd();
  return [line(titles), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/**
 * Control characters other than tabs and line breaks, which terminals interpret and XML 1.0 forbids (section 2.2), and
 * the two noncharacters that XML forbids.
 */
const UNPRINTABLE = /(?![\t\n\r])[\p{Cc}\ufffe\uffff]/gu;

/** Replaces unprintable characters and lone surrogates with U+FFFD. */
export function visibleText(text: string): string {
  return text.toWellFormed().replace(UNPRINTABLE, '\u{fffd}');
}

type Color = 'red' | 'green' | 'yellow' | 'magenta' | 'bold';

/** Colors text for a terminal. */
export type Paint = (color: Color, text: string) => string;

/** Creates a function that colors text, or returns it unchanged if `colors` is false. */
export function painter(colors: boolean): Paint {
  return (color, text) => (colors ? styleText(color, text, { validateStream: false }) : text);
}
