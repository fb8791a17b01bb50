import { createZstdDecompress } from 'node:zlib';
import { asDamaged } from './stored-bytes.ts';

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
