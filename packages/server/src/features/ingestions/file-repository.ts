import type { Queryable } from '../../db/transaction.ts';
import { fileRemoved } from '../../jsonapi/errors.ts';

/** Position of a frame's data in the blob, and the frame's decompressed size, in bytes. */
export interface StoredFrame {
  readonly number: number;
  readonly blobOffset: number;
  /** Excludes the record index that follows the data. */
  readonly dataBytes: number;
  readonly bytes: number;
  readonly dataCrc32: number | null;
}

/** Number of frames per query. A large file may have too many frames to hold in memory. */
const FRAMES_AT_ONCE = 500;

/** Throws an ApiError (410) if this job's file was removed. The job must exist. */
export async function assertFileKept(
  client: Queryable,
  tenantId: string,
  ingestionId: string,
): Promise<void> {
  const { rowCount } = await client.query(
    'select from ingestions where tenant_id = $1 and id = $2 and blob_removed_at is not null',
    [tenantId, ingestionId],
  );
  if (rowCount === 1) throw fileRemoved(ingestionId);
}

/**
 * Returns an upload's next frames in order, starting with the frame with this number. Returns an empty array after the
 * last frame.
 */
export async function findFrames(
  client: Queryable,
  tenantId: string,
  ingestionId: string,
  from: number,
): Promise<readonly StoredFrame[]> {
  const { rows } = await client.query<StoredFrame>(
    `select number, blob_offset::float8 as "blobOffset", blob_bytes - index_bytes as "dataBytes",
       bytes::float8 as bytes, data_crc32::float8 as "dataCrc32"
     from frames where tenant_id = $1 and ingestion_id = $2 and number >= $3 order by number limit $4`,
    [tenantId, ingestionId, from, FRAMES_AT_ONCE],
  );
  return rows;
}
