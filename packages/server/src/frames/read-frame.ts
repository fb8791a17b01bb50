import { constants, zstdDecompressSync } from 'node:zlib';
import type { BlobStore } from '../blob-store/blob-store.ts';
import type { Frame } from './frame-writer.ts';
import { decodeRecordIndex, type IndexedRecord } from './record-index.ts';

export interface FrameContent {
  /** The stretch of the uploaded file. */
  readonly bytes: Buffer;
  readonly records: readonly IndexedRecord[];
}

/** Reads one frame of a blob; throws where it is not what its row says. Blocks while it inflates. */
export async function readFrame(
  blobs: BlobStore,
  key: string,
  frame: Pick<Frame, 'blobOffset' | 'blobBytes' | 'indexBytes' | 'bytes'>,
): Promise<FrameContent> {
  const stored = await blobs.read(key, frame.blobOffset, frame.blobBytes);
  const dataBytes = stored.length - frame.indexBytes;
  const bytes = zstdDecompressSync(stored.subarray(0, dataBytes), {
    maxOutputLength: frame.bytes,
    chunkSize: Math.max(frame.bytes, constants.Z_MIN_CHUNK),
  });
  if (bytes.length !== frame.bytes) {
    throw new Error(`a stored frame holds ${bytes.length} bytes, ${frame.bytes} were expected`);
  }
  return { bytes, records: decodeRecordIndex(stored.subarray(dataBytes)) };
}
