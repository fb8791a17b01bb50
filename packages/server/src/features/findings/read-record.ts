import { createZstdDecompress } from 'node:zlib';
import { blobKey } from '../../blob-store/blob-key.ts';
import type { BlobStore } from '../../blob-store/blob-store.ts';
import type { RecordPlace } from './repository.ts';

/** Inflated bytes that are held at once. */
const CHUNK_BYTES = 2 ** 18;

/**
 * The text of a record as it was submitted; as UTF-8 it is what was uploaded, byte for byte. Inflates its frame off this
 * thread, a piece at a time, and no further than to the record's end. Throws where the frame ends before.
 */
export async function readRecord(blobs: BlobStore, tenantId: string, place: RecordPlace): Promise<string> {
  const key = blobKey(tenantId, place.ingestion_id, place.requested_at);
  const data = await blobs.read(key, place.blob_offset, place.blob_bytes - place.index_bytes);
  const inflating = createZstdDecompress({ chunkSize: CHUNK_BYTES });
  inflating.end(data);
  const end = place.record_offset + place.record_bytes;
  const pieces: Buffer[] = [];
  let at = 0;
  for await (const chunk of inflating) {
    const bytes: Buffer = chunk;
    const from = Math.max(place.record_offset - at, 0);
    // A copy: the piece must not keep its chunk in memory.
    if (from < bytes.length) pieces.push(Buffer.from(bytes.subarray(from, end - at)));
    at += bytes.length;
    if (at >= end) break;
  }
  if (at < end) throw new Error(`a frame of ${key} holds ${at} bytes, a record in it ends at byte ${end}`);
  return Buffer.concat(pieces).toString();
}
