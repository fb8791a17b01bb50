import { createZstdDecompress } from 'node:zlib';
import { asDamaged } from './stored-bytes.ts';

/** Inflated bytes that are held at once. */
const CHUNK_BYTES = 2 ** 18;

/**
 * The bytes from `start` to `end` of an inflated frame, of which `stored` is the data without its record index. Inflates
 * off this thread, a piece at a time, and no further than to the end. Throws a StoredFileError where they cannot be read.
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
    // A copy: the piece must not keep its chunk in memory.
    if (from < bytes.length) pieces.push(Buffer.from(bytes.subarray(from, end - at)));
    at += bytes.length;
    if (at >= end) break;
  }
  if (at < end) throw new RangeError(`a frame holds ${at} bytes, byte ${end} of it was asked for`);
  return Buffer.concat(pieces);
}
