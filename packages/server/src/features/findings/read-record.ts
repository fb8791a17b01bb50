import { blobKey } from '../../blobs/blob-key.ts';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { readRange } from '../../ingest/frames/read-range.ts';
import { readStored } from '../../ingest/frames/stored-bytes.ts';
import { VerbatimJson } from '../../jsonapi/verbatim-json.ts';
import type { RecordLocation } from './repository.ts';

/** Reads a record exactly as it was submitted. Throws a StoredFileError if it cannot be read. */
export async function readRecord(
  blobs: BlobStore,
  tenantId: string,
  location: RecordLocation,
): Promise<VerbatimJson> {
  const key = blobKey(tenantId, location.ingestion_id, location.requested_at);
  const length = location.blob_bytes - location.index_bytes;
  const data = await readStored(blobs, key, {
    offset: location.blob_offset,
    length,
    crc32: location.data_crc32,
  });
  const bytes = await readRange(data, location.record_offset, location.record_offset + location.record_bytes);
  return new VerbatimJson(bytes.toString());
}
