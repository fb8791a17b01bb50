import { constants, crc32, createZstdDecompress, zstdDecompressSync } from 'node:zlib';
import { BLOB_TOO_SHORT, type BlobStore } from '../../blobs/blob-store.ts';
import { codeOf, messageOf } from '../../lib/errors.ts';
import type { StoredFileFault } from '../../observability/worker-report.ts';
import { decodeRecordIndex, type IndexedRecord } from './record-index.ts';
import { decodeSkippable } from './skippable-frame.ts';

/** The metadata of a frame in the database. Offsets and lengths are in bytes. */
export interface Frame {
  readonly firstRecord: number;
  readonly records: number;
  /** Range in the decompressed file. */
  readonly byteOffset: number;
  readonly bytes: number;
  /** Range in the blob: the data, the extract and the record index. */
  readonly blobOffset: number;
  readonly blobBytes: number;
  readonly indexBytes: number;
  /** Length of the extract; null for frames without an extract. */
  readonly extractBytes: number | null;
  /** CRC-32 of the data with the extract, and of the index; null for frames from releases without checksums. */
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
  if (expected !== null) assertChecksum(crc32(bytes), expected, `${bytes.length} bytes of ${source}`);
}

/** Throws a StoredFileError if the CRC-32 of these bytes differs. Null is the checksum of data without one. */
export function assertChecksum(actual: number, expected: number | null, bytes: string): void {
  if (expected === null || actual === expected) return;
  throw new StoredFileError('file_damaged', `the checksum of ${bytes} does not match`);
}

/** The metadata that a frame must match. */
type ReadFrame = Omit<Frame, 'firstRecord' | 'byteOffset' | 'blobOffset'>;

/** A stored frame that matches its checksums. */
export interface StoredFrame {
  readonly records: readonly IndexedRecord[];
  /** Decompresses the frame's range of the uploaded file, synchronously. Throws a StoredFileError if that fails. */
  readonly inflate: () => Buffer;
  /** Decompresses the extract, synchronously. Returns `undefined` if the frame has none. */
  readonly inflateExtract: () => Buffer | undefined;
}

/**
 * Reads the index of a frame. `stored` is its range of the blob. Throws a StoredFileError if it does not match its
 * metadata.
 */
export function readStoredFrame(stored: Buffer, frame: ReadFrame): StoredFrame {
  const data = stored.subarray(0, frame.blobBytes - frame.indexBytes);
  const index = stored.subarray(data.length);
  assertIntact(data, frame.dataCrc32, 'a stored frame');
  assertIntact(index, frame.indexCrc32, 'the record index of a stored frame');
  const records = orDamaged(() => decodeRecordIndex(index));
  if (records.length !== frame.records)
    throw new StoredFileError(
      'file_damaged',
      `a stored frame has an index of ${records.length} records instead of ${frame.records}`,
    );
  return {
    records,
    inflate: () => orDamaged(() => inflate(data, frame.bytes)),
    inflateExtract: () => orDamaged(() => inflateExtract(data, frame.extractBytes)),
  };
}

function inflate(data: Buffer, length: number): Buffer {
  const bytes = zstdDecompressSync(data, {
    maxOutputLength: length,
    chunkSize: Math.max(length, constants.Z_MIN_CHUNK),
  });
  if (bytes.length !== length)
    throw new Error(`a stored frame has ${bytes.length} bytes instead of ${length}`);
  return bytes;
}

function inflateExtract(data: Buffer, length: number | null): Buffer | undefined {
  if (length === null) return undefined;
  return zstdDecompressSync(decodeSkippable(data.subarray(data.length - length), 'extract'));
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
