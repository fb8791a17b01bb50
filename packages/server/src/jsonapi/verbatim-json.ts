import { randomUUID } from 'node:crypto';

/** JSON that stands in a document as it is written: with its repeated keys, spellings of numbers and white space. */
export class VerbatimJson {
  readonly text: string;
  /** What `JSON.stringify` writes in its place. */
  readonly mark = randomUUID();

  /** `text` must be valid JSON. */
  constructor(text: string) {
    this.text = text;
  }

  /** `JSON.stringify` calls this, and never pauses: what has been written since `writeJson` began belongs to it. */
  toJSON(): string {
    written.push(this);
    return this.mark;
  }
}

let written: VerbatimJson[] = [];

/** As `JSON.stringify`, for documents that may contain `VerbatimJson`. */
export function writeJson(document: unknown): string {
  written = [];
  const json = JSON.stringify(document);
  return written.reduce((text, { mark, text: verbatim }) => text.replace(`"${mark}"`, () => verbatim), json);
}
