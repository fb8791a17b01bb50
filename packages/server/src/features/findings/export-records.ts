import type pg from 'pg';
import { type BlobStore, blobKey } from '../../blobs/blob-store.ts';
import { readRange, readStored } from '../../ingest/frames/stored-frame.ts';
import { fileRemoved } from '../../jsonapi/errors.ts';
import { exportedFindings, type FindingExport } from './export-rows.ts';

/** Limits of the findings whose records are in memory at the same time. */
const BATCH_FINDINGS = 10_000;
const BATCH_BYTES = 32 * 2 ** 20;
const FETCHED_ROWS = 1000;

interface Location {
  readonly ingestion_id: string;
  readonly frame: number;
  readonly record_offset: number;
  readonly record_bytes: number;
}

/**
 * Yields the records of all findings that match the query, in its order, as a JSON array. Reads each stored frame once
 * per batch, because the records of a frame are rarely adjacent. Throws an ApiError (410) before the first byte if the
 * file of a record is no longer stored.
 */
export async function* exportRecords(
  client: pg.ClientBase,
  blobs: BlobStore,
  exported: FindingExport,
): AsyncGenerator<Buffer, void> {
  const { from, sorted } = await exportedFindings(client, exported, 'ndjson');
  await assertStored(client, exported.tenantId, from);
  await client.query(
    `declare exported no scroll cursor for
     select ingestion_id, frame, record_offset, record_bytes ${sorted}`,
  );
  let separator = '[';
  for await (const batch of batches(client)) {
    const records = await readRecords(client, blobs, exported.tenantId, batch);
    for (const record of records) {
      yield Buffer.concat([Buffer.from(separator), record]);
      separator = ',\n';
    }
  }
  yield Buffer.from(separator === '[' ? '[]\n' : ']\n');
}

async function assertStored(client: pg.ClientBase, tenantId: string, from: string): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `select id from ingestions where tenant_id = $1 and blob_removed_at is not null
       and id in (select ingestion_id ${from}) limit 1`,
    [tenantId],
  );
  if (rows[0] !== undefined) throw fileRemoved(rows[0].id);
}

async function* batches(client: pg.ClientBase): AsyncGenerator<readonly Location[], void> {
  let batch: Location[] = [];
  let bytes = 0;
  for (;;) {
    const { rows } = await client.query<Location>(`fetch ${FETCHED_ROWS} from exported`);
    for (const row of rows) {
      batch.push(row);
      bytes += row.record_bytes;
      if (batch.length < BATCH_FINDINGS && bytes < BATCH_BYTES) continue;
      yield batch;
      batch = [];
      bytes = 0;
    }
    if (rows.length < FETCHED_ROWS) break;
  }
  if (batch.length > 0) yield batch;
}

/** Reads the records at these locations, in the same order. */
async function readRecords(
  client: pg.ClientBase,
  blobs: BlobStore,
  tenantId: string,
  locations: readonly Location[],
): Promise<readonly Buffer[]> {
  const records = new Map<Location, Buffer>();
  const byFrame = Map.groupBy(locations, ({ ingestion_id, frame }) => `${ingestion_id} ${frame}`);
  for (const ofFrame of byFrame.values()) {
    const start = Math.min(...ofFrame.map(({ record_offset }) => record_offset));
    const end = Math.max(...ofFrame.map(({ record_offset, record_bytes }) => record_offset + record_bytes));
    const data = await readFrameData(client, blobs, tenantId, ofFrame[0]);
    const bytes = await readRange(data, start, end);
    for (const location of ofFrame) {
      const from = location.record_offset - start;
      // Copied, so that the record does not keep its frame in memory.
      records.set(location, Buffer.from(bytes.subarray(from, from + location.record_bytes)));
    }
  }
  return locations.map((location) => records.get(location) ?? Buffer.alloc(0));
}

async function readFrameData(
  client: pg.ClientBase,
  blobs: BlobStore,
  tenantId: string,
  location: Location | undefined,
): Promise<Buffer> {
  const { rows } = await client.query<{
    requestedAt: Date;
    offset: number;
    length: number;
    crc32: number | null;
  }>(
    `select i.requested_at as "requestedAt", f.blob_offset::float8 as offset, f.blob_bytes - f.index_bytes as length,
       f.data_crc32::float8 as crc32
     from frames f join ingestions i on i.tenant_id = $1 and i.id = f.ingestion_id
     where f.tenant_id = $1 and f.ingestion_id = $2 and f.number = $3`,
    [tenantId, location?.ingestion_id, location?.frame],
  );
  const [row] = rows;
  if (row === undefined || location === undefined) throw new Error('a finding has no frame');
  return await readStored(blobs, blobKey(tenantId, location.ingestion_id, row.requestedAt), row);
}
