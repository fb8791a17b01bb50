import { createHash } from 'node:crypto';
import type { BlobStore } from '../blobs/blob-store.ts';
import { readBlob } from '../ingest/frames/stored-bytes.ts';
import type { BlobToCopy } from './blob-list.ts';

const PIECE_BYTES = 2 ** 20;
/** Blobs are copied concurrently, because most are small and each needs several round trips. */
const CONCURRENCY = 4;

/**
 * Copies a blob in pieces of 1 MiB and resolves with the hexadecimal SHA-256 of its content. Removes the partial copy
 * on failure. Throws a StoredFileError if the blob is missing or too short.
 */
export async function copyBlob(
  from: BlobStore,
  to: BlobStore,
  { key, bytes }: BlobToCopy,
  signal: AbortSignal,
): Promise<string> {
  const hash = createHash('sha256');
  const pieces = readPieces(from, { key, bytes }, signal);
  // Read before the file is created, because the most common failure is a missing blob.
  let next = await pieces.next();
  const writer = await to.create(key);
  try {
    while (next.done !== true) {
      hash.update(next.value);
      await writer.append(next.value);
      next = await pieces.next();
    }
    signal.throwIfAborted();
    await writer.commit();
  } catch (error) {
    await writer.abort();
    throw error;
  }
  return hash.digest('hex');
}

/** The hexadecimal SHA-256 of the first `bytes` bytes of a blob. Throws the same errors as `copyBlob`. */
export async function hashBlob(from: BlobStore, blob: BlobToCopy, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of readPieces(from, blob, signal)) hash.update(piece);
  return hash.digest('hex');
}

async function* readPieces(
  from: BlobStore,
  { key, bytes }: BlobToCopy,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void> {
  for (let at = 0; at < bytes; at += PIECE_BYTES) {
    signal.throwIfAborted();
    yield await readBlob(from, key, { offset: at, length: Math.min(PIECE_BYTES, bytes - at) });
  }
}

/**
 * Runs the work for several items concurrently. After the first failure, waits for the items in progress and rejects.
 */
export async function forEachConcurrently<Item>(
  items: AsyncGenerator<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  let failed = false;
  const worker = async () => {
    for await (const item of { [Symbol.asyncIterator]: () => ({ next: () => items.next() }) }) {
      if (failed) return;
      try {
        await work(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const results = await Promise.allSettled(Array.from({ length: CONCURRENCY }, worker));
  await items.return(undefined);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
