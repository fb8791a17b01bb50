import { constants, crc32, createZstdDecompress, zstdDecompressSync } from 'node:zlib';
import type { RecordProblem } from '@sluice/ocsf';
import { BLOB_TOO_SHORT, type BlobStore } from '../../blobs/blob-store.ts';
import { codeOf, messageOf } from '../../lib/errors.ts';
import type { StoredFileFault } from '../../observability/worker-report.ts';

/** The metadata of a frame in the database. Offsets and lengths are in bytes. */
export interface Frame {
  readonly firstRecord: number;
  readonly records: number;
  /** Range in the decompressed file. */
  readonly byteOffset: number;
  readonly bytes: number;
  /** Range in the blob: the data followed by the record index. */
  readonly blobOffset: number;
  readonly blobBytes: number;
  readonly indexBytes: number;
  /** CRC-32 of the stored data and of the stored index; null for frames from releases without checksums. */
  readonly dataCrc32: number | null;
  readonly indexCrc32: number | null;
}

/** A range of a blob, in bytes. */
export interface StoredBytes {
  readonly offset: number;
  readonly length: number;
  /** CRC-32 of the written bytes; null for data from releases without checksums. */
  readonly crc32: number | null;
}

/**
 * Range of a record in its frame. A record that is too large for one frame may start before the frame (a negative
 * offset).
 */
export interface IndexedRecord {
  readonly start: number;
  readonly end: number;
  readonly problem?: RecordProblem;
}

/** A decompressed frame. */
export interface FrameContent {
  /** The frame's range of the uploaded file. */
  readonly bytes: Buffer;
  readonly records: readonly IndexedRecord[];
}

/** A stored file is damaged or missing. This is never caused by a client. */
export class StoredFileError extends Error {
  readonly code: StoredFileFault;

  constructor(code: StoredFileFault, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StoredFileError';
    this.code = code;
  }
}

/** Reads a range of a blob. Throws a StoredFileError if the blob is damaged or missing. */
export async function readStored(blobs: BlobStore, key: string, range: StoredBytes): Promise<Buffer> {
  const bytes = await readBlob(blobs, key, range);
  assertIntact(bytes, range.crc32, key);
  return bytes;
}

/** Like `BlobStore.read`. Throws a StoredFileError if the blob is missing or too short. */
export async function readBlob(
  blobs: BlobStore,
  key: string,
  { offset, length }: Omit<StoredBytes, 'crc32'>,
): Promise<Buffer> {
  try {
    return await blobs.read(key, offset, length);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') throw new StoredFileError('file_missing', `the blob ${key} does not exist`, error);
    if (code === 'EISDIR') throw new StoredFileError('file_damaged', `the blob ${key} is a directory`, error);
    if (code === BLOB_TOO_SHORT)
      throw new StoredFileError('file_damaged', `the blob ${key} ends before byte ${offset + length}`, error);
    throw error;
  }
}

/** Throws a StoredFileError if the checksum differs. */
function assertIntact(bytes: Buffer, expected: number | null, source: string): void {
  if (expected === null || crc32(bytes) === expected) return;
  throw new StoredFileError(
    'file_damaged',
    `the checksum of ${bytes.length} bytes of ${source} does not match`,
  );
}

/** The metadata that a frame must match. */
type ReadFrame = Pick<Frame, 'indexBytes' | 'bytes' | 'records' | 'dataCrc32' | 'indexCrc32'>;

/** Decompresses a stored frame, synchronously. Throws a StoredFileError if it does not match its metadata. */
export function inflateFrame(stored: Buffer, frame: ReadFrame): FrameContent {
  const dataBytes = stored.length - frame.indexBytes;
  assertIntact(stored.subarray(0, dataBytes), frame.dataCrc32, 'a stored frame');
  assertIntact(stored.subarray(dataBytes), frame.indexCrc32, 'the record index of a stored frame');
  return orDamaged(() => inflate(stored, frame));
}

function inflate(stored: Buffer, frame: ReadFrame): FrameContent {
  const dataBytes = stored.length - frame.indexBytes;
  const bytes = zstdDecompressSync(stored.subarray(0, dataBytes), {
    maxOutputLength: frame.bytes,
    chunkSize: Math.max(frame.bytes, constants.Z_MIN_CHUNK),
  });
  if (bytes.length !== frame.bytes) {
    throw new Error(`a stored frame has ${bytes.length} bytes instead of ${frame.bytes}`);
  }
  const records = decodeRecordIndex(stored.subarray(dataBytes));
  if (records.length !== frame.records) {
    throw new Error(`a stored frame has an index of ${records.length} records instead of ${frame.records}`);
  }
  return { bytes, records };
}

/** Bytes per decompressed chunk. */
const CHUNK_BYTES = 2 ** 18;

/**
 * Returns the bytes from `start` to `end` of a decompressed frame. `stored` is its data without the record index.
 * Decompresses in chunks, off this thread, and only up to `end`. Throws a StoredFileError if the bytes cannot be
 * read.
 */
export async function readRange(stored: Buffer, start: number, end: number): Promise<Buffer> {
  try {
    return await inflateRange(stored, start, end);
  } catch (error) {
    throw asDamaged(error);
  }
}

async function inflateRange(stored: Buffer, start: number, end: number): Promise<Buffer> {
  const inflating = createZstdDecompress({ chunkSize: CHUNK_BYTES });
  inflating.end(stored);
  const pieces: Buffer[] = [];
  let at = 0;
  for await (const chunk of inflating) {
    const bytes: Buffer = chunk;
    const from = Math.max(start - at, 0);
    // Copied, so that the piece does not keep its chunk in memory.
    if (from < bytes.length) pieces.push(Buffer.from(bytes.subarray(from, end - at)));
    at += bytes.length;
    if (at >= end) break;
  }
  if (at < end) throw new RangeError(`the frame has ${at} bytes, but byte ${end} was requested`);
  return Buffer.concat(pieces);
}

/** Converts errors from a function that reads stored bytes into errors for a damaged file. */
export function orDamaged<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw asDamaged(error);
  }
}

function asDamaged(error: unknown): StoredFileError {
  if (error instanceof StoredFileError) return error;
  return new StoredFileError('file_damaged', `a stored frame cannot be read: ${messageOf(error)}`, error);
}

const SKIPPABLE_MAGIC = 0x184d2a50;
const HEADER_BYTES = 8;
const PROBLEMS: readonly (RecordProblem | undefined)[] = [
  undefined,
  'record_too_large',
  'record_too_deep',
  'record_too_many_keys',
];

/**
 * Builds the index of a frame's records, so that a reader does not have to split them again. For each record, it
 * contains the gap after the previous record (zigzag) and length * 4 + problem, both as LEB128. It follows the frame's
 * data as a zstd skippable frame (RFC 8878, section 3.1.2), so that other readers see a plain zstd file.
 */
export class RecordIndexBuilder {
  #bytes = Buffer.allocUnsafe(1024);
  #length = HEADER_BYTES;
  #previousEnd = 0;
  #records = 0;

  get records(): number {
    return this.#records;
  }

  add({ start, end, problem }: IndexedRecord): void {
    const gap = start - this.#previousEnd;
    this.#write(gap < 0 ? -gap * 2 - 1 : gap * 2);
    this.#write((end - start) * PROBLEMS.length + PROBLEMS.indexOf(problem));
    this.#previousEnd = end;
    this.#records++;
  }

  /** Returns the index as a skippable frame. */
  encode(): Buffer {
    this.#bytes.writeUInt32LE(SKIPPABLE_MAGIC, 0);
    this.#bytes.writeUInt32LE(this.#length - HEADER_BYTES, 4);
    return this.#bytes.subarray(0, this.#length);
  }

  #write(value: number): void {
    // 2^53 takes 8 bytes.
    if (this.#length + 8 > this.#bytes.length)
      this.#bytes = Buffer.concat([this.#bytes], this.#bytes.length * 2);
    let remaining = value;
    while (remaining >= 0x80) {
      this.#bytes[this.#length++] = (remaining % 0x80) + 0x80;
      remaining = Math.floor(remaining / 0x80);
    }
    this.#bytes[this.#length++] = remaining;
  }
}

/** Decodes an index. Throws if the bytes are not an index. */
export function decodeRecordIndex(frame: Buffer): IndexedRecord[] {
  if (
    frame.length < HEADER_BYTES ||
    frame.readUInt32LE(0) !== SKIPPABLE_MAGIC ||
    frame.readUInt32LE(4) !== frame.length - HEADER_BYTES
  ) {
    throw new Error('a stored frame has no record index at the expected offset');
  }
  const records: IndexedRecord[] = [];
  let at = HEADER_BYTES;
  const next = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = frame[at++];
      if (byte === undefined)
        throw new Error('the record index of a stored frame ends in the middle of a number');
      value += (byte % 0x80) * scale;
      if (byte < 0x80) return value;
    }
  };
  let previousEnd = 0;
  while (at < frame.length) {
    const gap = next();
    const packed = next();
    const start = previousEnd + (gap % 2 === 1 ? -(gap + 1) / 2 : gap / 2);
    const end = start + Math.floor(packed / PROBLEMS.length);
    const problem = PROBLEMS[packed % PROBLEMS.length];
    records.push(problem === undefined ? { start, end } : { start, end, problem });
    previousEnd = end;
  }
  return records;
}
