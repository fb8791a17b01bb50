import { randomUUID } from 'node:crypto';

/** JSON that is written to a document verbatim, preserving duplicate keys, number formats and whitespace. */
export class VerbatimJson {
  readonly text: string;
  /** The placeholder that `JSON.stringify` writes. `writeJson` replaces it with the text. */
  readonly placeholder = randomUUID();

  /** `text` must be valid JSON. */
  constructor(text: string) {
    this.text = text;
  }

  /** Called by `JSON.stringify`. Because `JSON.stringify` is synchronous, `written` always belongs to the current `writeJson` call. */
  toJSON(): string {
    written.push(this);
    return this.placeholder;
  }
}

let written: VerbatimJson[] = [];

/** `JSON.stringify` for documents that may contain `VerbatimJson`. */
export function writeJson(document: unknown): string {
  written = [];
  const json = JSON.stringify(document);
  return written.reduce(
    (text, { placeholder, text: verbatim }) => text.replace(`"${placeholder}"`, () => verbatim),
    json,
  );
}
