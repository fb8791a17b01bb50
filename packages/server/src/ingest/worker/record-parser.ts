import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import {
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
import type { StoredFrame } from '../frames/stored-frame.ts';
import type { TextsOfRecord } from '../merge/ensure-checks.ts';
import type { ReferenceStores } from '../merge/reference-stores.ts';
import { makeStorable, mayHoldUnstorableText } from './storable-text.ts';

/** A record, or why it cannot be parsed. The next record may overwrite it. */
export type ParsedRecord =
  | {
      /** The fields that a finding needs, or the whole record. */
      readonly value: unknown;
      /** The tracked attributes that the record lacks (`ExtractReader.missing`); `undefined` for a whole record. */
      readonly missing: string | undefined;
      /** Replaces characters that PostgreSQL does not accept in texts from this record. */
      readonly storable: typeof makeStorable;
      /** Reads the description of the record's check, until `release` is called. */
      readonly readTexts: (warn: Warn) => TextsOfRecord;
    }
  | { readonly fault: string };

interface ReadTexts extends TextsOfRecord {
  readonly warnings: readonly Warning[];
}

/**
 * Parses the records of a frame in order, from the frame's extract. Decompresses and parses the data only for records
 * that the extract does not contain.
 */
export class RecordParser {
  readonly records: readonly IndexedRecord[];
  readonly #frame: StoredFrame;
  readonly #extract: Buffer;
  readonly #reader: ExtractReader;
  readonly #storable: typeof makeStorable;
  readonly #validTexts: ReferenceStores['validTexts'];
  /** The texts that were read, by their number in the extract. */
  readonly #texts = new Map<number, ReadTexts>();
  #data: Buffer | undefined;
  #position = 0;

  constructor(
    frame: StoredFrame,
    scanner: FieldScanner,
    { validTexts }: Pick<ReferenceStores, 'validTexts'>,
  ) {
    this.records = frame.records;
    this.#frame = frame;
    this.#validTexts = validTexts;
    const stored = frame.inflateExtract();
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
    return { value, missing: this.#reader.missing, storable: this.#storable, readTexts: this.#readTexts };
  }

  skip(records: number): void {
    for (let skipped = 0; skipped < records; skipped++) this.#reader.next();
    this.#position += records;
  }

  /** Releases the decompressed data. No records can be parsed afterwards. */
  releaseData(): void {
    if (this.#data !== undefined) releaseBuffer(this.#data);
  }

  /** Releases the extract. No texts can be read afterwards. */
  release(): void {
    releaseBuffer(this.#extract);
  }

  /** Frames of other releases have no extract, or one with another layout. */
  #scan(scanner: FieldScanner): Buffer {
    const builder = new ExtractBuilder(scanner);
    builder.add(this.#inflate(), this.records);
    const extract = builder.encode();
    if (extract === undefined) throw new Error('an extract without a maximum size was discarded');
    return extract;
  }

  #inflate(): Buffer {
    this.#data ??= this.#frame.inflate();
    return this.#data;
  }

  readonly #readTexts = (warn: Warn): TextsOfRecord => {
    const number = this.#reader.textNumber;
    let read = this.#texts.get(number);
    if (read === undefined) {
      read = this.#textsOf(number);
      this.#texts.set(number, read);
    }
    for (const warning of read.warnings) warn(warning);
    return read;
  };

  #textsOf(number: number): ReadTexts {
    const fingerprint = hash('sha256', this.#reader.textBytes(number), 'base64');
    const warnings: Warning[] = [];
    const decode = () =>
      this.#storable(readCheckTexts(this.#reader.texts(number), (warning) => warnings.push(warning)));
    if (this.#validTexts.has(fingerprint)) return { fingerprint, texts: decode, warnings };
    const texts = decode();
    if (warnings.length === 0) this.#validTexts.set(fingerprint, true);
    return { fingerprint, texts: () => texts, warnings };
  }

  /** Parses a whole record. */
  #parse({ start, end }: IndexedRecord): ParsedRecord {
    const bytes = this.#inflate().subarray(start, end);
    if (!isUtf8(bytes)) return { fault: 'The record is not valid UTF-8.' };
    try {
      const value: unknown = JSON.parse(bytes.toString());
      return {
        value,
        missing: undefined,
        storable: makeStorable,
        readTexts: (warn) => {
          const texts = makeStorable(readCheckTexts(value, warn));
          return { fingerprint: hash('sha256', JSON.stringify(texts), 'base64'), texts: () => texts };
        },
      };
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return { fault: `The record is not valid JSON: ${error.message}.` };
    }
  }
}
