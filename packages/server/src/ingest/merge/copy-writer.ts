import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { Queryable } from '../../db/transaction.ts';
import { releaseBuffer } from '../../lib/reclaim-memory.ts';

/** Signature, no flags, no further header (PostgreSQL documentation, "COPY", Binary Format). */
const HEADER = Buffer.from('PGCOPY\n\u00ff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const TRAILER = -1;
const NULL = -1;
/** Maximum UTF-8 bytes per UTF-16 code unit. */
const UNIT_BYTES = 3;
/** Size of the field count before each row, and of the trailer. */
const COUNT_BYTES = 2;
/** Size of the length before each field. */
const LENGTH_BYTES = 4;
const UUID_BYTES = 16;
const INT64_BYTES = 8;
const INT32_RANGE = 2 ** 32;
/** PostgreSQL counts microseconds from 2000-01-01. */
const EPOCH_MS = Date.UTC(2000, 0, 1);
const MICROSECONDS = 1000n;

const UUID_DIGITS = 32;

/** The bytes of a UUID in the form that `CopyWriter.uuid` accepts: a string with one character per byte. */
export function uuidBytes(uuid: string): string {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('latin1');
}

/** The inverse of `uuidBytes`, without hyphens. */
export function hexOf(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('hex');
}

/** Returns a function for `hexOf` of the n-th id. Converting all ids at once is faster. */
export function hexOfEach(ids: readonly string[]): (index: number) => string {
  const hex = hexOf(ids.join(''));
  return (index) => hex.slice(index * UUID_DIGITS, (index + 1) * UUID_DIGITS);
}

/** Sends rows in the binary format of COPY to a table. `columns` is the list of the columns in SQL. */
export async function copyInto(
  client: Queryable,
  table: string,
  columns: string,
  rows: Buffer,
): Promise<void> {
  const copy = client.query(copyFrom(`copy ${table} (${columns}) from stdin (format binary)`));
  await pipeline(Readable.from([rows]), copy);
}

/** Writes rows in the binary format of COPY into a single growing buffer. */
export class CopyWriter {
  #buffer: Buffer;
  #at = HEADER.length;
  /** The bytes of UUIDs that were written as text. Most rows of a file repeat them. */
  readonly #uuids = new Map<string, string>();
  /** Cached, because most rows of a file share their timestamps. */
  #lastMs = Number.NaN;
  #lastHigh = 0;
  #lastLow = 0;

  constructor(bytes: number) {
    this.#buffer = Buffer.allocUnsafeSlow(HEADER.length + bytes + COUNT_BYTES);
    HEADER.copy(this.#buffer);
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#at;
  }

  /** Starts a row with this number of fields. Fields other than `texts` are at most as long as a UUID. */
  beginRow(fields: number, texts: readonly (string | null)[]): void {
    this.reserve(2 * COUNT_BYTES, fields, texts);
    this.#at = this.#buffer.writeInt16BE(fields, this.#at);
  }

  /** Makes room for this many bytes and fields. Fields other than `texts` are at most as long as a UUID. */
  reserve(bytes: number, fields: number, texts: readonly (string | null)[]): void {
    let units = 0;
    for (const text of texts) units += text?.length ?? 0;
    const needed = this.#at + bytes + fields * (LENGTH_BYTES + UUID_BYTES) + units * UNIT_BYTES + COUNT_BYTES;
    if (needed > this.#buffer.length) this.#buffer = Buffer.concat([this.#buffer], needed * 2);
  }

  /** Copies the range [start, end) from another writer. The buffer must have room for it. */
  copy(from: CopyWriter, start: number, end: number): void {
    this.#at += from.#buffer.copy(this.#buffer, this.#at, start, end);
  }

  null(): void {
    this.#length(NULL);
  }

  uuid(bytes: string): void {
    this.#length(UUID_BYTES);
    this.#at += this.#buffer.write(bytes, this.#at, 'latin1');
  }

  /** Writes a UUID in its text form. */
  uuidText(uuid: string): void {
    let bytes = this.#uuids.get(uuid);
    if (bytes === undefined) {
      bytes = uuidBytes(uuid);
      this.#uuids.set(uuid, bytes);
    }
    this.uuid(bytes);
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

  /** Writes a safe integer. */
  int64(value: number): void {
    this.#int64(Math.floor(value / INT32_RANGE), value >>> 0);
  }

  /** Writes a time, given in milliseconds since 1970. */
  timestamp(ms: number | null): void {
    if (ms === null) {
      this.null();
      return;
    }
    if (ms !== this.#lastMs) {
      // BigInt, because microseconds exceed the safe integers from the year 2285 on.
      const microseconds = BigInt(ms - EPOCH_MS) * MICROSECONDS;
      this.#lastMs = ms;
      this.#lastHigh = Number(microseconds >> 32n);
      this.#lastLow = Number(BigInt.asUintN(32, microseconds));
    }
    this.#int64(this.#lastHigh, this.#lastLow);
  }

  text(value: string | null): void {
    if (value === null) {
      this.null();
      return;
    }
    const written = this.#buffer.write(value, this.#at + LENGTH_BYTES);
    this.#length(written);
    this.#at += written;
  }

  /** Returns all written bytes, followed by the trailer that COPY requires. Nothing can be written afterwards. */
  end(): Buffer {
    this.#at = this.#buffer.writeInt16BE(TRAILER, this.#at);
    return this.#buffer.subarray(0, this.#at);
  }

  /** Releases the memory. The written bytes must not be used afterwards. */
  release(): void {
    releaseBuffer(this.#buffer);
  }

  #int64(high: number, low: number): void {
    this.#length(INT64_BYTES);
    this.#at = this.#buffer.writeInt32BE(high, this.#at);
    this.#at = this.#buffer.writeUInt32BE(low, this.#at);
  }

  #length(bytes: number): void {
    this.#at = this.#buffer.writeInt32BE(bytes, this.#at);
  }
}
