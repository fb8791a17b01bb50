import { htmlEscape } from 'escape-goat';
import { visibleText } from '../../terminal/formatting.ts';

/** Safe HTML. Only the `html` tag creates it from text, so all text is escaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Insert = string | number | Markup | readonly Markup[];

/**
 * A template tag for HTML. Inserted strings are escaped for text and quoted attribute values; inserted markup is kept.
 */
export function html(template: TemplateStringsArray, ...inserts: readonly Insert[]): Markup {
  let text = template[0] ?? '';
  for (const [at, insert] of inserts.entries()) text += insertText(insert) + (template[at + 1] ?? '');
  return new Markup(text);
}

function insertText(insert: Insert): string {
  if (insert instanceof Markup) return insert.text;
  if (typeof insert === 'object') return insert.map(({ text }) => text).join('');
  return htmlEscape(visibleText(String(insert)));
}
