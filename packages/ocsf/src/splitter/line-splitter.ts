import type { ContainerWalker } from './container-walker.ts';
import { isWhitespace, LINE_FEED, OPEN_BRACE, OPEN_BRACKET } from './json-bytes.ts';

/** What counts against the limits of a record. */
export interface RecordSize {
  readonly keys: number;
  readonly isTooDeep: boolean;
}

const NO_CONTAINER: RecordSize = { keys: 0, isTooDeep: false };

/**
 * Finds the records of newline-delimited JSON. Each line that is not blank is a record, without the white space around
 * it, whether it is valid JSON or not. The first line decides about the file: it must be one object that ends with a
 * line feed.
 */
export class LineSplitter {
  readonly #walker: ContainerWalker;
  readonly #onRecord: (start: number, end: number, size: RecordSize) => void;
  /** `container`: in the object or array at the start of a line. `rest`: after it, or in a line with another start. */
  #place: 'between' | 'container' | 'rest' = 'between';
  #start = 0;
  /** After the last byte of the line that is not white space. */
  #end = 0;
  #size = NO_CONTAINER;
  #isFirst = true;

  constructor(walker: ContainerWalker, onRecord: (start: number, end: number, size: RecordSize) => void) {
    this.#walker = walker;
    this.#onRecord = onRecord;
  }

  /** Start of the incomplete line, if any. */
  get openRecordStart(): number | undefined {
    return this.#place === 'between' ? undefined : this.#start;
  }

  /**
   * Reads a piece from an index on. The walker must have loaded the piece, which starts at `offset` in the file.
   * Returns `false` if the first line shows that the file is something else.
   */
  push(piece: Buffer, from: number, offset: number): boolean {
    let at = from;
    while (at < piece.length) {
      if (this.#place === 'between') {
        while (at < piece.length && isWhitespace(piece[at] ?? 0)) at++;
        if (at === piece.length) return true;
        this.#begin(piece[at] ?? 0, offset + at);
      }
      const feed = piece.indexOf(LINE_FEED, at);
      const stop = feed === -1 ? piece.length : feed;
      if (this.#place === 'container') {
        const end = this.#walker.walk(at, stop);
        const { at: walked, keys, isTooDeep } = this.#walker;
        this.#extend(piece, at, walked, offset);
        at = walked;
        if (end === 'closed') this.#size = { keys, isTooDeep };
        else if (this.#isFirst && at < piece.length) return false;
        // An object or array does not continue on the next line.
        if (end === 'piece_over' && feed !== -1) this.#walker.abandon();
        if (end !== 'piece_over' || feed !== -1) this.#place = 'rest';
      }
      if (this.#place === 'rest') {
        const hasMore = this.#extend(piece, at, stop, offset);
        if (this.#isFirst && hasMore) return false;
        at = stop;
      }
      if (feed !== -1) {
        this.#finish();
        at++;
      }
    }
    return true;
  }

  /** Ends the file. Returns `false` if its first line does not end with a line feed. */
  end(): boolean {
    if (this.#isFirst) return false;
    if (this.#place !== 'between') this.#finish();
    return true;
  }

  #begin(byte: number, start: number): void {
    this.#start = start;
    this.#size = NO_CONTAINER;
    this.#place = byte === OPEN_BRACE || byte === OPEN_BRACKET ? 'container' : 'rest';
  }

  /** Extends the record to the last byte between two indexes that is not white space. Returns whether there is one. */
  #extend(piece: Buffer, from: number, to: number, offset: number): boolean {
    let last = to - 1;
    while (last >= from && isWhitespace(piece[last] ?? 0)) last--;
    if (last < from) return false;
    this.#end = offset + last + 1;
    return true;
  }

  #finish(): void {
    this.#place = 'between';
    this.#isFirst = false;
    this.#onRecord(this.#start, this.#end, this.#size);
  }
}
