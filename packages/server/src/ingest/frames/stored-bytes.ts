import { constants, crc32, createZstdDecompress, zstdDecompressSync } from 'node:zlib';
import { BLOB_TOO_SHORT, type BlobStore } from '../../blobs/blob-store.ts';
import { codeOf } from '../../lib/errors.ts';
import type { StoredFileFault } from '../../observability/worker-report.ts';
import type { Frame } from './frame-writer.ts';
import { decodeRecordIndex, type IndexedRecord } from './record-index.ts';

/** A stored file is damaged or missing. This is never caused by a client. */
export class StoredFileError extends Error {
  readonly code: StoredFileFault;

  constructor(code: StoredFileFault, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StoredFileError';
    this.code = code;
  }
}

/** A range of a blob, in bytes. */
export interface StoredBytes {
  readonly offset: number;
  readonly length: number;
  /** CRC-32 of the written bytes; null for data from releases without checksums. */
  readonly crc32: number | null;
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
  const reason = error instanceof Error ? error.message : String(error);
  return new StoredFileError('file_damaged', `a stored frame cannot be read: ${reason}`, error);
}

export interface FrameContent {
  /** The frame's range in the uploaded file. */
  readonly bytes: Buffer;
  readonly records: readonly IndexedRecord[];
}

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
