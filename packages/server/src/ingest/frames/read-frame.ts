import { constants, zstdDecompressSync } from 'node:zlib';
import type { Frame } from './frame-writer.ts';
import { decodeRecordIndex, type IndexedRecord } from './record-index.ts';
import { assertIntact, orDamaged } from './stored-bytes.ts';

export interface FrameContent {
  /** The frame's range in the uploaded file. */
  readonly bytes: Buffer;
  readonly records: readonly IndexedRecord[];
}

type ReadFrame = Pick<Frame, 'indexBytes' | 'bytes' | 'records' | 'dataCrc32' | 'indexCrc32'>;

/** Decompresses a stored frame, synchronously. Throws a StoredFileError if it does not match its metadata. */
export function inflateFrame(stored: Buffer, frame: ReadFrame): FrameContent {
  const dataBytes = stored.length - frame.indexBytes;
  assertIntact(stored.subarray(0, dataBytes), frame.dataCrc32, 'a stored frame');
  assertIntact(stored.subarray(dataBytes), frame.indexCrc32, 'the record index of a stored frame');
  return orDamaged(() => inflate(stored, frame));
}

function inflate(stored: Buffer, frame: ReadFrame): FrameContent {
  const dataBytes = stored.length - frame.indexBytes;
  const bytes = zstdDecompressSync(stored.subarray(0, dataBytes), {
    maxOutputLength: frame.bytes,
    chunkSize: Math.max(frame.bytes, constants.Z_MIN_CHUNK),
  });
  if (bytes.length !== frame.bytes) {
    throw new Error(`a stored frame has ${bytes.length} bytes instead of ${frame.bytes}`);
  }
  const records = decodeRecordIndex(stored.subarray(dataBytes));
  if (records.length !== frame.records) {
    throw new Error(`a stored frame has an index of ${records.length} records instead of ${frame.records}`);
  }
  return { bytes, records };
}
