const NEWLINE = 0x0a;
const QUOTE = 0x22;
/** The ID of a finding is the first column of a CSV line, and the first key of an NDJSON line. */
const LINE_START = /^(?:\{"id":")?([\da-f-]{36})[",]/;
const LINE_START_BYTES = 64;

/** Finds the ends of lines in a CSV or NDJSON export that arrives in chunks. */
export class LineReader {
  readonly #isCsv: boolean;
  #rest = new Uint8Array();
  #isQuoted = false;
  #lines = 0;
  #lastId: string | undefined;

  constructor(format: 'csv' | 'ndjson') {
    this.#isCsv = format === 'csv';
  }

  /** The number of findings in all complete lines. */
  get findings(): number {
    return Math.max(this.#isCsv ? this.#lines - 1 : this.#lines, 0);
  }

  /** The ID of the finding in the last complete line. */
  get lastId(): string | undefined {
    return this.#lastId;
  }

  get hasIncompleteLine(): boolean {
    return this.#rest.length > 0;
  }

  /** Returns the lines that this chunk completes. */
  read(chunk: Uint8Array): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.#rest.length + chunk.length);
    bytes.set(this.#rest);
    bytes.set(chunk, this.#rest.length);
    let lastStart = 0;
    let end = 0;
    for (let at = this.#rest.length; at < bytes.length; at++) {
      // Cells of a CSV file can contain newlines (RFC 4180); strings in JSON cannot.
      if (bytes[at] === QUOTE) this.#isQuoted = this.#isCsv && !this.#isQuoted;
      if (bytes[at] !== NEWLINE || this.#isQuoted) continue;
      this.#lines += 1;
      lastStart = end;
      end = at + 1;
    }
    const start = new TextDecoder().decode(
      bytes.subarray(lastStart, Math.min(end, lastStart + LINE_START_BYTES)),
    );
    this.#lastId = LINE_START.exec(start)?.[1] ?? this.#lastId;
    this.#rest = bytes.slice(end);
    return bytes.subarray(0, end);
  }

  dropIncompleteLine(): void {
    this.#rest = new Uint8Array();
    this.#isQuoted = false;
  }
}
