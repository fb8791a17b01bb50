import { ExtractBuilder, type FieldScanner, type RecordSpan } from '@sluice/ocsf';

/**
 * Maximum size of an extract, in bytes, so that the memory of an upload is bounded. Workers scan the records of a frame
 * without an extract themselves. An extract usually has less than 2 MiB.
 */
const MAX_EXTRACT_BYTES = 8 * 2 ** 20;

/** Extracts the fields of an upload's records, chunk by chunk. */
export class RecordExtractor {
  readonly #scanner: FieldScanner;
  #chunk: Buffer = Buffer.alloc(0);
  /** The chunk's offset in the file. */
  #offset = 0;
  /** Records that end in the chunk and have not been added to an extract yet, with offsets in the chunk. */
  #records: RecordSpan[] = [];
  /** Copies of the earlier parts of the record that was incomplete at the end of the last chunk. */
  #parts: Buffer[] = [];
  #partBytes = 0;

  constructor(scanner: FieldScanner) {
    this.#scanner = scanner;
  }

  /** Creates the extract of a frame. */
  createExtract(): ExtractBuilder {
    return new ExtractBuilder(this.#scanner, MAX_EXTRACT_BYTES);
  }

  beginChunk(chunk: Buffer, offset: number): void {
    this.#chunk = chunk;
    this.#offset = offset;
  }

  add({ start, end, ...problem }: RecordSpan): void {
    this.#records.push({ start: start - this.#offset, end: end - this.#offset, ...problem });
  }

  /** Adds the records since the last call to the extract of their frame. */
  flush(extract: ExtractBuilder): void {
    const [first] = this.#records;
    if (first !== undefined && first.start < 0) {
      // If the earlier parts were too large to be kept, the record does not start in these bytes and is not read.
      const whole = Buffer.concat([...this.#parts, this.#chunk.subarray(0, first.end)]);
      extract.add(whole, [{ ...first, start: first.start + this.#partBytes, end: whole.length }]);
      this.#records.shift();
    }
    extract.add(this.#chunk, this.#records);
    this.#records = [];
  }

  /** Keeps the start of the incomplete record, if any. */
  endChunk(openRecordStart: number | undefined): void {
    const start = openRecordStart === undefined ? this.#chunk.length : openRecordStart - this.#offset;
    if (start >= 0) {
      this.#parts = [];
      this.#partBytes = 0;
    }
    const part = this.#chunk.subarray(Math.max(start, 0));
    if (this.#partBytes + part.length > this.#scanner.maxText) this.#parts = [];
    else if (part.length > 0) {
      this.#parts.push(Buffer.from(part));
      this.#partBytes += part.length;
    }
  }
}
