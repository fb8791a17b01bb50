import type { Queryable } from '../../db/transaction.ts';

/**
 * The frame whose record count includes a record, and the position of the frame's record index in the blob, in bytes.
 */
export interface CountingFrame {
  readonly firstRecord: number;
  /** Offset of the frame in the decompressed file. */
  readonly byteOffset: number;
  readonly indexOffset: number;
  readonly indexBytes: number;
  readonly indexCrc32: number | null;
}

/** Returns the frame whose record count includes this record; `undefined` if there is none. */
export async function findFrameOf(
  client: Queryable,
  tenantId: string,
  ingestionId: string,
  recordIndex: number,
): Promise<CountingFrame | undefined> {
  const { rows } = await client.query<CountingFrame>(
    `select first_record::float8 as "firstRecord", byte_offset::float8 as "byteOffset",
       (blob_offset + blob_bytes - index_bytes)::float8 as "indexOffset", index_bytes as "indexBytes",
       index_crc32::float8 as "indexCrc32"
     from frames
     where tenant_id = $1 and ingestion_id = $2 and first_record <= $3 and first_record + records > $3`,
    [tenantId, ingestionId, recordIndex],
  );
  return rows[0];
}

/** The range of a frame in the decompressed file, and the position of its data in the blob, in bytes. */
export interface RangeFrame {
  readonly byteOffset: number;
  readonly bytes: number;
  readonly blobOffset: number;
  /** Excludes the record index that follows the data. */
  readonly dataBytes: number;
  readonly dataCrc32: number | null;
}

/** Returns the frames that contain the bytes from `start` to `end` of the decompressed file, in order. */
export async function findFramesBetween(
  client: Queryable,
  tenantId: string,
  ingestionId: string,
  start: number,
  end: number,
): Promise<readonly RangeFrame[]> {
  const { rows } = await client.query<RangeFrame>(
    `select byte_offset::float8 as "byteOffset", bytes::float8 as bytes, blob_offset::float8 as "blobOffset",
       blob_bytes - index_bytes as "dataBytes", data_crc32::float8 as "dataCrc32"
     from frames
     where tenant_id = $1 and ingestion_id = $2 and byte_offset < $4 and byte_offset + bytes > $3 order by number`,
    [tenantId, ingestionId, start, end],
  );
  return rows;
}
