import { parseCsvLine } from './parse-csv-line.ts';

const NEWLINE = 0x0a;
const QUOTE = 0x22;

/** Finds the ends of lines in a CSV or NDJSON export that arrives in chunks. */
export class LineReader {
  readonly #isCsv: boolean;
  #rest = new Uint8Array();
  #isQuoted = false;
  #lines = 0;
  /** The first line of a CSV file, which contains the names of the columns. */
  #header = '';
  #lastLine = new Uint8Array();

  constructor(format: 'csv' | 'ndjson') {
    this.#isCsv = format === 'csv';
  }

  /** The number of findings in all complete lines. */
  get findings(): number {
    return Math.max(this.#isCsv ? this.#lines - 1 : this.#lines, 0);
  }

  get hasIncompleteLine(): boolean {
    return this.#rest.length > 0;
  }

  /** The values in the last complete line, by column; `undefined` if there is no finding. */
  readLastFinding(): ReadonlyMap<string, unknown> | undefined {
    if (this.findings === 0) return undefined;
    const line = decodeLine(this.#lastLine);
    if (!this.#isCsv) return new Map(Object.entries(JSON.parse(line)));
    const cells = parseCsvLine(line);
    return new Map(parseCsvLine(this.#header).map((name, at) => [name, cells[at]]));
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
      lastStart = end;
      end = at + 1;
      if (this.#lines === 0) this.#header = decodeLine(bytes.subarray(0, end));
      this.#lines += 1;
    }
    // Copied, so that the line does not keep its chunk in memory.
    if (end > 0) this.#lastLine = bytes.slice(lastStart, end);
    this.#rest = bytes.slice(end);
    return bytes.subarray(0, end);
  }

  dropIncompleteLine(): void {
    this.#rest = new Uint8Array();
    this.#isQuoted = false;
  }
}

function decodeLine(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.subarray(0, -1));
}
