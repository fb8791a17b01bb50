import { constants, zstdDecompressSync } from 'node:zlib';
import type { Frame } from './frame-writer.ts';
import { decodeRecordIndex, type IndexedRecord } from './record-index.ts';

export interface FrameContent {
  /** The stretch of the uploaded file. */
  readonly bytes: Buffer;
  readonly records: readonly IndexedRecord[];
}

/** What a stored frame holds; throws where it is not what its row says. Blocks while it inflates. */
export function inflateFrame(
  stored: Buffer,
  frame: Pick<Frame, 'indexBytes' | 'bytes' | 'records'>,
): FrameContent {
  const dataBytes = stored.length - frame.indexBytes;
  const bytes = zstdDecompressSync(stored.subarray(0, dataBytes), {
    maxOutputLength: frame.bytes,
    chunkSize: Math.max(frame.bytes, constants.Z_MIN_CHUNK),
  });
  if (bytes.length !== frame.bytes) {
    throw new Error(`a stored frame holds ${bytes.length} bytes, ${frame.bytes} were expected`);
  }
  const records = decodeRecordIndex(stored.subarray(dataBytes));
  if (records.length !== frame.records) {
    throw new Error(`a stored frame indexes ${records.length} records, ${frame.records} were expected`);
  }
  return { bytes, records };
}
