import { blobKey } from '../../blob-store/blob-key.ts';
import type { BlobStore } from '../../blob-store/blob-store.ts';
import { readStretch } from '../../frames/read-stretch.ts';
import type { RecordPlace } from './repository.ts';

/**
 * The text of a record as it was submitted; as UTF-8 it is what was uploaded, byte for byte. Throws where its frame ends
 * before the record does.
 */
export async function readRecord(blobs: BlobStore, tenantId: string, place: RecordPlace): Promise<string> {
  const key = blobKey(tenantId, place.ingestion_id, place.requested_at);
  const data = await blobs.read(key, place.blob_offset, place.blob_bytes - place.index_bytes);
  const bytes = await readStretch(data, place.record_offset, place.record_offset + place.record_bytes);
  return bytes.toString();
}
