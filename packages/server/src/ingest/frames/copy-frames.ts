import { crc32 } from 'node:zlib';
import type { BlobStore, BlobWriter } from '../../blobs/blob-store.ts';
import { releaseBuffer } from '../../lib/reclaim-memory.ts';
import { assertChecksum, type Frame, readBlob, type StoredBytes } from './stored-frame.ts';

/** Bytes per read. Limits the memory of a copy independently of the size of its frames. */
const CHUNK_BYTES = 2 ** 20;

export interface FramesCopy {
  /** Key of the blob that contains the frames. */
  readonly source: string;
  /** Key of the new blob. */
  readonly target: string;
  /** Ends the copy with the abort reason. */
  readonly signal: AbortSignal;
  /** Called with the error if the blob of a failed copy could not be removed. */
  readonly onAbortFailed: (error: unknown) => void;
}

/**
 * Copies stored frames, with their extracts and record indexes, to a new blob, in constant memory. Resolves with the
 * frames of the new blob when it is durable. Throws a StoredFileError if a frame is damaged or missing. Removes the new
 * blob after any error.
 */
export async function copyFrames(
  blobs: BlobStore,
  { source, target, signal, onAbortFailed }: FramesCopy,
  frames: AsyncIterable<Frame>,
): Promise<readonly Frame[]> {
  const blob = await blobs.create(target);
  try {
    const copied: Frame[] = [];
    let blobOffset = 0;
    for await (const frame of frames) {
      for (const range of rangesOf(frame)) await copyRange(blobs, source, range, blob, signal);
      copied.push({ ...frame, blobOffset });
      blobOffset += frame.blobBytes;
    }
    await blob.commit();
    return copied;
  } catch (error) {
    await blob.abort().catch(onAbortFailed);
    throw error;
  }
}

/** The data with the extract, and the record index. Each has a checksum. */
function rangesOf({
  blobOffset,
  blobBytes,
  indexBytes,
  dataCrc32,
  indexCrc32,
}: Frame): readonly StoredBytes[] {
  const dataBytes = blobBytes - indexBytes;
  return [
    { offset: blobOffset, length: dataBytes, crc32: dataCrc32 },
    { offset: blobOffset + dataBytes, length: indexBytes, crc32: indexCrc32 },
  ];
}

async function copyRange(
  blobs: BlobStore,
  source: string,
  { offset, length, crc32: expected }: StoredBytes,
  blob: BlobWriter,
  signal: AbortSignal,
): Promise<void> {
  let checksum = 0;
  for (let from = 0; from < length; from += CHUNK_BYTES) {
    signal.throwIfAborted();
    const range = { offset: offset + from, length: Math.min(CHUNK_BYTES, length - from) };
    const bytes = await readBlob(blobs, source, range);
    checksum = crc32(bytes, checksum);
    await blob.append(bytes);
    releaseBuffer(bytes);
  }
  assertChecksum(checksum, expected, `${length} bytes of ${source}`);
}
