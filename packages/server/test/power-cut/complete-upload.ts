import { type BlobStore, blobKey } from '../../src/blobs/blob-store.ts';
import type { Frame } from '../../src/ingest/frames/stored-frame.ts';
import { readBlob, readStoredFrame } from '../../src/ingest/frames/stored-frame.ts';
import type { TenantService } from '../support/service.ts';
import type { SentUpload } from './recorded-uploads.ts';

/** An upload with the blob key and the frames from the database. */
export interface StoredUpload extends SentUpload {
  readonly key: string;
  readonly frames: readonly Frame[];
}

export async function findStored(
  { sql, tenantId }: TenantService,
  upload: SentUpload,
): Promise<StoredUpload> {
  const values = [upload.ingestionId];
  const [job] = await sql<{ requestedAt: Date }>(
    'select requested_at as "requestedAt" from ingestions where id = $1',
    values,
  );
  if (job === undefined) throw new Error(`the job ${upload.ingestionId} does not exist`);
  const frames = await sql<Frame & Record<string, unknown>>(
    `select first_record::int as "firstRecord", records, byte_offset::int as "byteOffset", bytes::int,
       blob_offset::int as "blobOffset", blob_bytes as "blobBytes", index_bytes as "indexBytes",
       extract_bytes as "extractBytes", data_crc32::float8 as "dataCrc32", index_crc32::float8 as "indexCrc32"
     from frames where ingestion_id = $1 order by number`,
    values,
  );
  return { ...upload, key: blobKey(tenantId, upload.ingestionId, job.requestedAt), frames };
}

/** Reads an upload like a worker. Resolves with an error message, or `undefined` if the upload is complete. */
export async function faultOf(
  blobs: BlobStore,
  { key, frames, file }: StoredUpload,
): Promise<string | undefined> {
  try {
    const pieces: Buffer[] = [];
    for (const frame of frames) {
      const stored = await readBlob(blobs, key, { offset: frame.blobOffset, length: frame.blobBytes });
      pieces.push(readStoredFrame(stored, frame).inflate());
    }
    return Buffer.concat(pieces).equals(file) ? undefined : `the content of ${key} differs from the upload`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
