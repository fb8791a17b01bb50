import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { z } from 'zod';
import type { BlobStore } from '../blobs/blob-store.ts';
import { readBlob } from '../ingest/frames/stored-frame.ts';
import { OperatorError } from '../lib/errors.ts';

const blobToCopy = z.strictObject({ key: z.string(), bytes: z.int().nonnegative() });
const blobEntry = z.union([
  blobToCopy.extend({ sha256: z.hex().length(64) }),
  /** The blob was already missing from the blob store. */
  z.strictObject({ key: z.string(), missing: z.literal(true) }),
]);

/** A blob to copy, with its size in bytes. */
export type BlobToCopy = z.output<typeof blobToCopy>;
/** A blob in a backup. */
export type BlobEntry = z.output<typeof blobEntry>;

/** Reads the list of blobs to copy. Throws an OperatorError if it is damaged. */
export function readReferences(file: string): AsyncGenerator<BlobToCopy> {
  return readLines(file, blobToCopy);
}

/** Reads the list of blobs of a complete backup. Throws an OperatorError if it is damaged. */
export function readBlobList(file: string): AsyncGenerator<BlobEntry> {
  return readLines(file, blobEntry);
}

async function* readLines<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
): AsyncGenerator<z.output<Schema>> {
  await using handle = await open(file, 'r');
  for await (const line of handle.readLines({ autoClose: false })) {
    const read = schema.safeParse(parse(line));
    if (!read.success) throw new OperatorError(`${file} is damaged; restore another backup`);
    yield read.data;
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

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

const PIECE_BYTES = 2 ** 20;

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

/** Blobs are copied concurrently, because most are small and each needs several round trips. */
const CONCURRENCY = 4;

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
