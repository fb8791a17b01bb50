import { isUtf8 } from 'node:buffer';
import {
  type CheckTexts,
  ExtractBuilder,
  ExtractReader,
  type FieldScanner,
  isExtractOf,
  readCheckTexts,
  type Warn,
  type Warning,
} from '@sluice/ocsf';
import { releaseBuffer } from '../../lib/reclaim-memory.ts';
import type { IndexedRecord } from '../frames/record-index.ts';
import type { OpenFrame } from '../frames/stored-frame.ts';
import { makeStorable, mayHoldUnstorableText } from './storable-text.ts';

/** A record, or why it cannot be parsed. The next record may overwrite it. */
export type ParsedRecord =
  | {
      /** The fields that a finding needs, or the whole record. */
      readonly value: unknown;
      /** Replaces characters that PostgreSQL does not accept in texts from this record. */
      readonly storable: typeof makeStorable;
      /** Reads the description of the record's check. */
      readonly readTexts: (warn: Warn) => CheckTexts;
    }
  | { readonly fault: string };

/** A description of checks and the warnings about it. */
interface ReadTexts {
  readonly texts: CheckTexts;
  readonly warnings: readonly Warning[];
}

/**
 * Parses the records of a frame in order, from the frame's extract. Decompresses and parses the data only for records
 * that the extract does not contain.
 */
export class RecordParser {
  readonly records: readonly IndexedRecord[];
  readonly #frame: OpenFrame;
  readonly #extract: Buffer;
  readonly #reader: ExtractReader;
  readonly #storable: typeof makeStorable;
  /** The texts that were read, by their number in the extract. */
  readonly #texts = new Map<number, ReadTexts>();
  #data: Buffer | undefined;
  #position = 0;

  constructor(frame: OpenFrame, stored: Buffer | undefined, scanner: FieldScanner) {
    this.records = frame.records;
    this.#frame = frame;
    const isUsable = stored !== undefined && isExtractOf(scanner.layout, stored);
    this.#extract = isUsable ? stored : this.#scan(scanner);
    this.#reader = new ExtractReader(scanner.layout, this.#extract);
    this.#storable = mayHoldUnstorableText(this.#extract) ? makeStorable : (value) => value;
  }

  /** Parses the next record. */
  next(): ParsedRecord {
    const position = this.#position++;
    const value = this.#reader.next();
    if (value === undefined) return this.#parse(this.records[position] ?? { start: 0, end: 0 });
    return { value, storable: this.#storable, readTexts: this.#readTexts };
  }

  skip(records: number): void {
    for (let skipped = 0; skipped < records; skipped++) this.#reader.next();
    this.#position += records;
  }

  /** Releases the memory. No records can be read afterwards. */
  release(): void {
    releaseBuffer(this.#extract);
    if (this.#data !== undefined) releaseBuffer(this.#data);
  }

  /** Extracts are missing in frames of other releases, and may be damaged. */
  #scan(scanner: FieldScanner): Buffer {
    const builder = new ExtractBuilder(scanner);
    builder.add(this.#inflate(), this.records);
    return builder.encode() ?? Buffer.alloc(0);
  }

  #inflate(): Buffer {
    this.#data ??= this.#frame.inflate();
    return this.#data;
  }

  readonly #readTexts = (warn: Warn): CheckTexts => {
    const number = this.#reader.textNumber;
    let read = this.#texts.get(number);
    if (read === undefined) {
      const warnings: Warning[] = [];
      const texts = readCheckTexts(this.#reader.texts(number), (warning) => warnings.push(warning));
      read = { texts: this.#storable(texts), warnings };
      this.#texts.set(number, read);
    }
    for (const warning of read.warnings) warn(warning);
    return read.texts;
  };

  /** Parses a whole record. */
  #parse({ start, end }: IndexedRecord): ParsedRecord {
    const bytes = this.#inflate().subarray(start, end);
    if (!isUtf8(bytes)) return { fault: 'The record is not valid UTF-8.' };
    try {
      const value: unknown = JSON.parse(bytes.toString());
      return {
        value,
        storable: makeStorable,
        readTexts: (warn) => makeStorable(readCheckTexts(value, warn)),
      };
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return { fault: `The record is not valid JSON: ${error.message}.` };
    }
  }
}
