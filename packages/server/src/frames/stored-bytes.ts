import { crc32 } from 'node:zlib';
import type { BlobStore } from '../blob-store/blob-store.ts';
import { BLOB_TOO_SHORT } from '../blob-store/blob-too-short.ts';
import { codeOf } from '../error-code.ts';

/** What is wrong with a stored file, as it is named to clients. */
export type StoredFileFault = 'file_damaged' | 'file_missing';

/** A stored file is not what was stored, or is not there. Nobody who sends requests or records is to blame. */
export class StoredFileError extends Error {
  readonly code: StoredFileFault;

  constructor(code: StoredFileFault, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StoredFileError';
    this.code = code;
  }
}

/** A stretch of a blob that is read by itself, in bytes. */
export interface StoredBytes {
  readonly offset: number;
  readonly length: number;
  /** CRC-32 of the bytes as they were written; null where they were stored before there were checksums. */
  readonly crc32: number | null;
}

/** Reads a stretch of a blob. Throws a StoredFileError where it is not what was written, or not there. */
export async function readStored(blobs: BlobStore, key: string, stretch: StoredBytes): Promise<Buffer> {
  const bytes = await readBlob(blobs, key, stretch);
  assertIntact(bytes, stretch.crc32, key);
  return bytes;
}

/** As `BlobStore.read`. Throws a StoredFileError where the blob is not there, or ends before. */
export async function readBlob(
  blobs: BlobStore,
  key: string,
  { offset, length }: Omit<StoredBytes, 'crc32'>,
): Promise<Buffer> {
  try {
    return await blobs.read(key, offset, length);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') throw new StoredFileError('file_missing', `the blob ${key} is not there`, error);
    if (code === 'EISDIR') throw new StoredFileError('file_damaged', `the blob ${key} is a directory`, error);
    if (code === BLOB_TOO_SHORT)
      throw new StoredFileError('file_damaged', `the blob ${key} ends before byte ${offset + length}`, error);
    throw error;
  }
}

/** Throws a StoredFileError where the bytes have another checksum. */
export function assertIntact(bytes: Buffer, expected: number | null, what: string): void {
  if (expected === null || crc32(bytes) === expected) return;
  throw new StoredFileError('file_damaged', `the checksum of ${bytes.length} bytes of ${what} is wrong`);
}

/** Runs what reads stored bytes; an error of it, too, is one of a damaged file. */
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
