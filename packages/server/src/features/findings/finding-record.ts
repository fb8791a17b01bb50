import { type BlobStore, blobKey } from '../../blobs/blob-store.ts';
import type { Queryable } from '../../db/transaction.ts';
import { readRange, readStored } from '../../ingest/frames/stored-frame.ts';
import { VerbatimJson } from '../../jsonapi/document.ts';
import { fileRemoved } from '../../jsonapi/errors.ts';

/** Location of a finding's record. Offsets and lengths are in bytes. */
export interface RecordLocation {
  readonly ingestion_id: string;
  readonly requested_at: Date;
  readonly blob_removed_at: Date | null;
  readonly blob_offset: number;
  readonly blob_bytes: number;
  readonly index_bytes: number;
  readonly data_crc32: number | null;
  /** Offset in the decompressed frame. */
  readonly record_offset: number;
  readonly record_bytes: number;
}

/**
 * Finds a finding and then reads its record. If the record is replaced in the meantime, garbage collection may remove
 * its file. In that case, looks up the finding again, because it now refers to a different file.
 */
export async function findWithRecord<
  Found extends { readonly location: { readonly ingestion_id: string } | undefined },
>(
  find: () => Promise<Found>,
  read: (found: Found) => Promise<VerbatimJson> | undefined,
): Promise<Found & { readonly record: VerbatimJson | undefined }> {
  let found = await find();
  for (;;) {
    try {
      return { ...found, record: await read(found) };
    } catch (error) {
      const current = await find();
      if (current.location?.ingestion_id === found.location?.ingestion_id) throw error;
      found = current;
    }
  }
}

/**
 * Returns the location of a finding's record. The finding must exist. Throws an ApiError (410) if the file with the
 * record is no longer stored.
 */
export async function findRecordLocation(
  client: Queryable,
  tenantId: string,
  findingId: string,
): Promise<RecordLocation> {
  const { rows } = await client.query<RecordLocation>(
    `select findings.ingestion_id, ingestions.requested_at, ingestions.blob_removed_at, frames.blob_offset::float8, frames.blob_bytes,
       frames.index_bytes, frames.data_crc32::float8, findings.record_offset, findings.record_bytes
     from findings
     join ingestions on ingestions.tenant_id = $1 and ingestions.id = findings.ingestion_id
     join frames on frames.tenant_id = $1 and frames.ingestion_id = findings.ingestion_id
       and frames.number = findings.frame
     where findings.tenant_id = $1 and findings.id = $2`,
    [tenantId, findingId],
  );
  const [location] = rows;
  if (location === undefined) throw new Error(`finding ${findingId} has no frame`);
  if (location.blob_removed_at !== null) throw fileRemoved(location.ingestion_id);
  return location;
}

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
