import { visibleText } from '../visible-text.ts';

/** HTML that is safe to put into a page: only `html` makes it from texts, so nothing gets in unescaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Insert = string | number | Markup | readonly Markup[];

/**
 * A template of HTML: its own text is kept, inserted strings are escaped, for text and for quoted
 * attribute values alike, and inserted markup is kept.
 */
export function html(template: TemplateStringsArray, ...inserts: readonly Insert[]): Markup {
  let text = template[0] ?? '';
  for (const [at, insert] of inserts.entries()) text += insertText(insert) + (template[at + 1] ?? '');
  return new Markup(text);
}

function insertText(insert: Insert): string {
  if (insert instanceof Markup) return insert.text;
  if (typeof insert === 'object') return insert.map(({ text }) => text).join('');
  return escapeHtml(visibleText(String(insert)));
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES.get(character) ?? '');
}
