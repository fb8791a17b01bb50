/** Signature, no flags, no further header (PostgreSQL, "COPY", Binary Format). */
const HEADER = Buffer.from('PGCOPY\n\u00ff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const TRAILER = -1;
const NULL = -1;
/** Bytes that one UTF-16 unit takes at most in UTF-8. */
const UNIT_BYTES = 3;
/** The number of fields before every row, and the trailer after all. */
const COUNT_BYTES = 2;
/** The length before every field. */
const LENGTH_BYTES = 4;
const UUID_BYTES = 16;
const INT64_BYTES = 8;
/** PostgreSQL counts microseconds from 2000-01-01. */
const EPOCH_MS = Date.UTC(2000, 0, 1);
const MICROSECONDS = 1000n;

/** Writes rows in the binary format of COPY into one buffer that grows. */
export class CopyWriter {
  #buffer: Buffer;
  #at = HEADER.length;
  /** Most rows of a file share their times. */
  #lastMs = Number.NaN;
  #lastTime = 0n;

  constructor(bytes: number) {
    this.#buffer = Buffer.allocUnsafeSlow(HEADER.length + bytes + COUNT_BYTES);
    HEADER.copy(this.#buffer);
  }

  /** Begins a row of so many fields, which together need no more room than `fieldBytes` and their texts. */
  beginRow(fields: number, texts: readonly (string | null)[]): void {
    const units = texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
    const most = this.#at + 2 * COUNT_BYTES + fields * (LENGTH_BYTES + UUID_BYTES) + units * UNIT_BYTES;
    if (most > this.#buffer.length) this.#buffer = Buffer.concat([this.#buffer], most * 2);
    this.#at = this.#buffer.writeInt16BE(fields, this.#at);
  }

  uuid(text: string): void {
    this.#length(UUID_BYTES);
    this.#at += this.#buffer.write(text.replaceAll('-', ''), this.#at, 'hex');
  }

  boolean(value: boolean): void {
    this.#length(1);
    this.#at = this.#buffer.writeInt8(value ? 1 : 0, this.#at);
  }

  int16(value: number): void {
    this.#length(2);
    this.#at = this.#buffer.writeInt16BE(value, this.#at);
  }

  int32(value: number): void {
    this.#length(4);
    this.#at = this.#buffer.writeInt32BE(value, this.#at);
  }

  int64(value: bigint): void {
    this.#length(INT64_BYTES);
    this.#at = this.#buffer.writeBigInt64BE(value, this.#at);
  }

  /** A time in milliseconds since 1970. */
  timestamp(ms: number | null): void {
    if (ms === null) {
      this.#length(NULL);
      return;
    }
    if (ms !== this.#lastMs) {
      this.#lastMs = ms;
      this.#lastTime = BigInt(ms - EPOCH_MS) * MICROSECONDS;
    }
    this.int64(this.#lastTime);
  }

  text(value: string | null): void {
    if (value === null) {
      this.#length(NULL);
      return;
    }
    const written = this.#buffer.write(value, this.#at + LENGTH_BYTES);
    this.#length(written);
    this.#at += written;
  }

  /** All that was written, as COPY wants it; nothing can be written any more. */
  end(): Buffer {
    this.#at = this.#buffer.writeInt16BE(TRAILER, this.#at);
    return this.#buffer.subarray(0, this.#at);
  }

  #length(bytes: number): void {
    this.#at = this.#buffer.writeInt32BE(bytes, this.#at);
  }
}
