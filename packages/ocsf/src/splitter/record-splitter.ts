import { ContainerWalker, MAX_PIECE_BYTES } from './container-walker.ts';
import {
  EMPTY_ARRAY,
  type FileFault,
  notAnArray,
  trailingData,
  truncatedAfter,
  truncatedInside,
  unexpectedByte,
} from './file-fault.ts';
import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  isWhitespace,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from './json-bytes.ts';
import { LineSplitter, type RecordSize } from './line-splitter.ts';
import type { RecordLimits, RecordSpan } from './record-span.ts';

/** The UTF-8 byte order mark (RFC 3629, section 6). */
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

const states = {
  beforeArray: 0,
  beforeFirstValue: 1,
  beforeValue: 2,
  inScalar: 3,
  inContainer: 4,
  afterValue: 5,
  afterArray: 6,
  inLines: 7,
  stopped: 8,
} as const;
type State = (typeof states)[keyof typeof states];

/**
 * Finds the start and end of each element in a top-level JSON array, or of each line of newline-delimited JSON, in
 * constant memory, for chunks of any size. Inspects only the structure (strings, brackets, commas, line feeds);
 * `JSON.parse` decides whether a record is valid JSON.
 *
 * A file is newline-delimited JSON if its first line is an object that ends with a line feed. Any other file is a valid
 * JSON array if and only if `fault` stays undefined and every record parses (RFC 8259; a UTF-8 byte order mark is
 * skipped, section 8.1). Reading stops at the first fault: the records before it have been reported, and the rest is not
 * interpreted.
 */
export class RecordSplitter {
  readonly #limits: RecordLimits;
  readonly #onRecord: (span: RecordSpan) => void;
  readonly #walker: ContainerWalker;
  readonly #lines: LineSplitter;
  #state: State = states.beforeArray;
  #fault: FileFault | undefined;
  #records = 0;
  /** File offset of the next chunk's first byte. */
  #offset = 0;
  /** Number of bytes received so far of a byte order mark at the start of the file. */
  #markBytes = 0;
  #recordStart = 0;
  /** End of the current scalar, without trailing white space. */
  #scalarEnd = 0;
  /** Whether the splitter is inside a string that is an element of the array. */
  #inString = false;
  #escaped = false;

  constructor(limits: RecordLimits, onRecord: (span: RecordSpan) => void) {
    this.#limits = limits;
    this.#onRecord = onRecord;
    this.#walker = new ContainerWalker(limits.maxDepth);
    this.#lines = new LineSplitter(this.#walker, (start, end, size) => {
      this.#recordStart = start;
      this.#endRecord(end, size);
    });
  }

  /** Number of complete records so far. */
  get records(): number {
    return this.#records;
  }

  /** Number of bytes received so far. */
  get bytes(): number {
    return this.#offset;
  }

  /** Start of the incomplete record, if any. */
  get openRecordStart(): number | undefined {
    if (this.#state === states.inLines) return this.#lines.openRecordStart;
    const open = this.#state === states.inScalar || this.#state === states.inContainer;
    return open ? this.#recordStart : undefined;
  }

  /** Why the file is not, or not completely, a list of records. Final once `end` has been called. */
  get fault(): FileFault | undefined {
    return this.#fault;
  }

  push(chunk: Buffer): void {
    for (let from = 0; from < chunk.length; from += MAX_PIECE_BYTES) {
      this.#pushPiece(chunk.subarray(from, from + MAX_PIECE_BYTES));
    }
  }

  /** Ends the file. Anything that is still open is reported as truncated. */
  end(): void {
    switch (this.#state) {
      case states.beforeArray:
        this.#stop(notAnArray(undefined, this.#offset));
        break;
      case states.inLines:
        if (!this.#lines.end()) this.#stop(notAnArray(OPEN_BRACE, this.#recordStart));
        break;
      case states.inScalar:
      case states.inContainer:
        this.#stop(truncatedInside(this.#records, this.#recordStart, this.#offset));
        break;
      case states.beforeFirstValue:
      case states.beforeValue:
      case states.afterValue:
        this.#stop(truncatedAfter(this.#records, this.#offset));
        break;
      case states.afterArray:
        if (this.#records === 0) this.#stop(EMPTY_ARRAY);
        break;
    }
  }

  #pushPiece(piece: Buffer): void {
    this.#walker.load(piece);
    let at = 0;
    while (at < piece.length && this.#state !== states.stopped) {
      at = this.#inString ? this.#string(piece, at) : this.#step(piece, at);
    }
    this.#offset += piece.length;
  }

  #stop(fault: FileFault): void {
    this.#fault ??= fault;
    this.#state = states.stopped;
  }

  #unexpected(byte: number, at: number, expected: string, where = ''): void {
    this.#stop(unexpectedByte(byte, this.#offset + at, expected, where));
  }

  /** Reads bytes outside of strings until the state changes or the piece ends. Returns the next index. */
  #step(piece: Buffer, from: number): number {
    switch (this.#state) {
      case states.beforeArray:
        return this.#beforeArray(piece, from);
      case states.inScalar:
        return this.#scalar(piece, from);
      case states.inContainer:
        return this.#container(piece, from);
      case states.inLines:
        if (!this.#lines.push(piece, from, this.#offset))
          this.#stop(notAnArray(OPEN_BRACE, this.#recordStart));
        return piece.length;
      default:
        return this.#betweenValues(piece, from);
    }
  }

  #beforeArray(piece: Buffer, from: number): number {
    const byte = piece[from] ?? 0;
    const offset = this.#offset + from;
    const insideMark = this.#markBytes > 0 && this.#markBytes < BYTE_ORDER_MARK.length;
    if (offset === this.#markBytes && byte === BYTE_ORDER_MARK[offset]) this.#markBytes++;
    else if (byte === OPEN_BRACKET && !insideMark) this.#state = states.beforeFirstValue;
    else if (byte === OPEN_BRACE && !insideMark) {
      this.#state = states.inLines;
      this.#recordStart = offset;
      return from;
    } else if (!isWhitespace(byte) || insideMark) this.#stop(notAnArray(byte, offset));
    return from + 1;
  }

  #betweenValues(piece: Buffer, from: number): number {
    let at = from;
    while (at < piece.length && isWhitespace(piece[at] ?? 0)) at++;
    if (at === piece.length) return at;
    const byte = piece[at] ?? 0;
    switch (this.#state) {
      case states.afterValue:
        if (byte === COMMA) this.#state = states.beforeValue;
        else if (byte === CLOSE_BRACKET) this.#state = states.afterArray;
        else this.#unexpected(byte, at, `',' or ']' after record ${this.#records - 1}`);
        return at + 1;
      case states.afterArray:
        this.#stop(trailingData(this.#offset + at));
        return at + 1;
      case states.beforeFirstValue:
        if (byte === CLOSE_BRACKET) {
          this.#state = states.afterArray;
          return at + 1;
        }
        break;
    }
    if (byte === COMMA || byte === CLOSE_BRACKET || byte === CLOSE_BRACE || byte === COLON || byte === 0) {
      this.#unexpected(byte, at, `record ${this.#records}`);
      return at + 1;
    }
    this.#startRecord(byte, at);
    return at;
  }

  #startRecord(byte: number, at: number): void {
    this.#recordStart = this.#offset + at;
    this.#state = byte === OPEN_BRACE || byte === OPEN_BRACKET ? states.inContainer : states.inScalar;
  }

  #endRecord(end: number, { keys, isTooDeep }: RecordSize = { keys: 0, isTooDeep: false }): void {
    const { maxRecordBytes, maxKeys } = this.#limits;
    const start = this.#recordStart;
    this.#records++;
    if (end - start > maxRecordBytes) this.#onRecord({ start, end, problem: 'record_too_large' });
    else if (isTooDeep) this.#onRecord({ start, end, problem: 'record_too_deep' });
    else if (keys > maxKeys) this.#onRecord({ start, end, problem: 'record_too_many_keys' });
    else this.#onRecord({ start, end });
  }

  /** Reads an element that is neither an object nor an array. It ends at the next comma or bracket of the array. */
  #scalar(piece: Buffer, from: number): number {
    for (let at = from; at < piece.length; at++) {
      const byte = piece[at] ?? 0;
      if (byte === COMMA || byte === CLOSE_BRACKET) {
        this.#endRecord(this.#scalarEnd);
        this.#state = byte === COMMA ? states.beforeValue : states.afterArray;
        return at + 1;
      }
      if (byte === OPEN_BRACE || byte === OPEN_BRACKET || byte === CLOSE_BRACE) {
        this.#unexpected(byte, at, `',' or ']' after record ${this.#records}`);
        return at + 1;
      }
      if (!isWhitespace(byte)) this.#scalarEnd = this.#offset + at + 1;
      if (byte === QUOTE) {
        this.#inString = true;
        return at + 1;
      }
    }
    return piece.length;
  }

  #container(piece: Buffer, from: number): number {
    const walker = this.#walker;
    const end = walker.walk(from, piece.length);
    const { at } = walker;
    if (end === 'closed') {
      this.#state = states.afterValue;
      this.#endRecord(this.#offset + at, walker);
    } else if (end === 'wrong_bracket') {
      const where = ` in record ${this.#records}, which starts at byte ${this.#recordStart}`;
      const expected = `'${String.fromCharCode(walker.expectedBracket)}'`;
      this.#unexpected(piece[at] ?? 0, at, expected, where);
    }
    return at;
  }

  /** Reads the bytes of a string until its closing quote or the end of the piece. */
  #string(piece: Buffer, from: number): number {
    let at = from;
    if (this.#escaped) {
      this.#escaped = false;
      at++;
    }
    while (at < piece.length) {
      const quote = piece.indexOf(QUOTE, at);
      const end = quote === -1 ? piece.length : quote;
      let slashes = 0;
      while (end - slashes > at && piece[end - slashes - 1] === BACKSLASH) slashes++;
      const escaped = slashes % 2 === 1;
      if (quote === -1) {
        this.#escaped = escaped;
        return piece.length;
      }
      at = quote + 1;
      if (!escaped) {
        this.#inString = false;
        this.#scalarEnd = this.#offset + at;
        return at;
      }
    }
    return at;
  }
}
