import { blobKey } from '../../blob-store/blob-key.ts';
import type { BlobStore } from '../../blob-store/blob-store.ts';
import { readStretch } from '../../frames/read-stretch.ts';
import { readStored } from '../../frames/stored-bytes.ts';
import { VerbatimJson } from '../../jsonapi/verbatim-json.ts';
import type { RecordLocation } from './repository.ts';

/** A record as it was submitted, byte for byte. Throws a StoredFileError where it cannot be read. */
export async function readRecord(
  blobs: BlobStore,
  tenantId: string,
  place: RecordLocation,
): Promise<VerbatimJson> {
  const key = blobKey(tenantId, place.ingestion_id, place.requested_at);
  const length = place.blob_bytes - place.index_bytes;
  const data = await readStored(blobs, key, { offset: place.blob_offset, length, crc32: place.data_crc32 });
  const bytes = await readStretch(data, place.record_offset, place.record_offset + place.record_bytes);
  return new VerbatimJson(bytes.toString());
}
