import type { Queryable } from '../../db/transaction.ts';
import { fileRemoved } from '../../jsonapi/errors.ts';

/** Where a frame's data lies in its blob, and how much it is inflated; in bytes. */
export interface StoredFrame {
  readonly number: number;
  readonly blobOffset: number;
  /** Without the record index behind it. */
  readonly dataBytes: number;
  readonly bytes: number;
  readonly dataCrc32: number | null;
}

/** Frames that are looked up at once: of a file of tiny records there are more than should be held. */
const FRAMES_AT_ONCE = 500;

/** Throws the 410 where the file of this job, which is there, is not kept any more. */
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

/** The next frames of an upload from this number on, in their order; none where there are no more. */
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
