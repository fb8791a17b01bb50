import { isAscii, isUtf8 } from 'node:buffer';
import type { FieldReader } from '@sluice/ocsf';
import type { FrameContent } from '../frames/read-frame.ts';

/** The value of a record, or why it cannot be parsed. */
export type ParsedRecord = { readonly value: unknown } | { readonly fault: string };

/** Parses the records of a frame in order, most of them only in part. */
export class RecordParser {
  readonly #content: FrameContent;
  readonly #encoding: 'latin1' | 'utf8' | undefined;
  readonly #fieldReader: FieldReader;
  /** The field reader has loaded records [from, to). */
  #from = 0;
  #to = 0;

  constructor(content: FrameContent, fieldReader: FieldReader) {
    this.#content = content;
    this.#encoding = encodingOf(content.bytes);
    this.#fieldReader = fieldReader;
  }

  /**
   * Returns the fields that a finding needs, or the whole record if the field reader cannot read them. The next call
   * may overwrite the value.
   */
  parseFields(position: number): ParsedRecord {
    if (this.#encoding === undefined) return this.parse(position);
    if (position < this.#from || position >= this.#to) {
      const { bytes, records } = this.#content;
      this.#from = position;
      this.#to = position + this.#fieldReader.load(bytes, this.#encoding, records, position);
    }
    const value = position < this.#to ? this.#fieldReader.record(position - this.#from) : undefined;
    return value === undefined ? this.parse(position) : { value };
  }

  /** Parses the whole record. */
  parse(position: number): ParsedRecord {
    const { bytes, records } = this.#content;
    const { start, end } = records[position] ?? { start: 0, end: 0 };
    if (this.#encoding === undefined && !isUtf8(bytes.subarray(start, end))) {
      return { fault: 'The record is not valid UTF-8.' };
    }
    try {
      return { value: JSON.parse(bytes.toString(this.#encoding, start, end)) };
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return { fault: `The record is not valid JSON: ${error.message}.` };
    }
  }
}

/**
 * The encoding of all bytes; `undefined` if they are not UTF-8. ASCII, the most common case, is cheapest as `latin1`.
 */
function encodingOf(bytes: Buffer): 'latin1' | 'utf8' | undefined {
  if (isAscii(bytes)) return 'latin1';
  return isUtf8(bytes) ? 'utf8' : undefined;
}
