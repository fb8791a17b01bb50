import { crc32 } from 'node:zlib';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { BLOB_TOO_SHORT } from '../../blobs/blob-too-short.ts';
import { codeOf } from '../../lib/error-code.ts';
import type { StoredFileFault } from '../../observability/worker-report.ts';

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
export function assertIntact(bytes: Buffer, expected: number | null, source: string): void {
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

export function asDamaged(error: unknown): StoredFileError {
  if (error instanceof StoredFileError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new StoredFileError('file_damaged', `a stored frame cannot be read: ${reason}`, error);
}
