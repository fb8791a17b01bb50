import type pg from 'pg';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { type Queryable, readAsTenant } from '../../db/transaction.ts';
import { decodeRecordIndex } from '../../ingest/frames/record-index.ts';
import { orDamaged, readRange, readStored, StoredFileError } from '../../ingest/frames/stored-frame.ts';

/** A record in an uploaded file. Offsets and lengths are in bytes and refer to the decompressed file. */
export interface IngestionRecord {
  readonly recordIndex: number;
  readonly byteOffset: number;
  readonly bytes: number;
  /** The record, truncated to `maxBytes`. */
  readonly shown: Buffer;
}

export interface RecordAddress {
  readonly tenantId: string;
  readonly ingestionId: string;
  /** Key of the upload's blob. */
  readonly key: string;
  readonly recordIndex: number;
  /** Maximum bytes to read. */
  readonly maxBytes: number;
}

/**
 * Returns the record with this index; `undefined` if there is none. A record that is larger than a frame starts before
 * the frame whose record count includes it. Throws if a blob cannot be read. No database connection is held while blobs
 * are read.
 */
export async function findRecord(
  { pool, blobs }: { readonly pool: pg.Pool; readonly blobs: BlobStore },
  { tenantId, ingestionId, key, recordIndex, maxBytes }: RecordAddress,
): Promise<IngestionRecord | undefined> {
  const counting = await readAsTenant(pool, tenantId, (client) =>
    findFrameOf(client, tenantId, ingestionId, recordIndex),
  );
  if (counting === undefined) return undefined;
  const { firstRecord, byteOffset: frameOffset, indexOffset, indexBytes, indexCrc32 } = counting;
  const stored = await readStored(blobs, key, { offset: indexOffset, length: indexBytes, crc32: indexCrc32 });
  const index = orDamaged(() => decodeRecordIndex(stored));
  const range = index[recordIndex - firstRecord];
  if (range === undefined)
    throw new StoredFileError(
      'file_damaged',
      `the record index of a frame in ${key} does not contain record ${recordIndex}`,
    );

  const byteOffset = frameOffset + range.start;
  const bytes = range.end - range.start;
  const end = byteOffset + Math.min(bytes, maxBytes);
  const frames = await readAsTenant(pool, tenantId, (client) =>
    findFramesBetween(client, tenantId, ingestionId, byteOffset, end),
  );
  const pieces: Buffer[] = [];
  for (const frame of frames) {
    const { blobOffset: offset, dataBytes: length, dataCrc32 } = frame;
    const stored = await readStored(blobs, key, { offset, length, crc32: dataCrc32 });
    const from = Math.max(byteOffset - frame.byteOffset, 0);
    pieces.push(await readRange(stored, from, Math.min(end - frame.byteOffset, frame.bytes)));
  }
  return { recordIndex, byteOffset, bytes, shown: Buffer.concat(pieces) };
}

/**
 * The frame whose record count includes a record, and the position of the frame's record index in the blob, in bytes.
 */
interface CountingFrame {
  readonly firstRecord: number;
  /** Offset of the frame in the decompressed file. */
  readonly byteOffset: number;
  readonly indexOffset: number;
  readonly indexBytes: number;
  readonly indexCrc32: number | null;
}

/** Returns the frame whose record count includes this record; `undefined` if there is none. */
async function findFrameOf(
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
interface RangeFrame {
  readonly byteOffset: number;
  readonly bytes: number;
  readonly blobOffset: number;
  /** Excludes the record index that follows the data. */
  readonly dataBytes: number;
  readonly dataCrc32: number | null;
}

/** Returns the frames that contain the bytes from `start` to `end` of the decompressed file, in order. */
async function findFramesBetween(
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
