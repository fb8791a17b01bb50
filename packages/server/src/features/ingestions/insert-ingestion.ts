import type pg from 'pg';
import { DatabaseUnavailable } from '../../db/database-errors.ts';
import { isDistributed } from '../../db/distribution.ts';
import { asTenant, type Queryable } from '../../db/transaction.ts';
import type { WrittenFrames } from '../../ingest/frames/frame-writer.ts';
import type { TextParts } from '../../ingest/upload/text-parts.ts';
import {
  endNumber,
  hasOwnEnd,
  queueFrames,
  releaseReserved,
  removeReserved,
  reserveFrames,
} from '../../ingest/worker/frame-queue.ts';
import { ApiError } from '../../jsonapi/errors.ts';
import { findIngestionsByIds, type IngestionRow } from '../../resources/ingestions.ts';
import { providerSubquery } from '../../resources/providers.ts';

export interface NewIngestion {
  readonly id: string;
  readonly apiKeyId: string;
  readonly requestedAt: Date;
  /** Time of records that do not specify one; `undefined` for `requestedAt`. */
  readonly defaultTime?: Date;
  /** Stored so that workers' log lines and traces can be correlated with the request. */
  readonly requestId: string;
  readonly traceparent: string | undefined;
  readonly fileName: string | null;
  readonly texts: TextParts;
  readonly receivedBytes: number;
  readonly written: WrittenFrames;
  /** The Idempotency-Key, and a SHA-256 hash that is the same for equal requests. */
  readonly idempotency: { readonly key: string; readonly sha256: Buffer } | undefined;
}

export interface InsertedIngestion {
  readonly ingestion: IngestionRow;
  /** Whether the job was created by an earlier request with the same Idempotency-Key, so that nothing was inserted. */
  readonly replayed: boolean;
}

/** The key is in use. Thrown to roll back the transaction. */
class KeyInUseError extends Error {}

/**
 * Records an upload whose frames are durable: job, frames and queue in one transaction (`frame-queue.ts` describes
 * distributed databases). If the Idempotency-Key was used before, returns the earlier job, or throws an ApiError (422)
 * if the content differs (IETF draft idempotency-key-header, section 2.6). A key can be used again if its job has
 * findings of a deleted provider.
 */
export async function insertIngestion(
  pool: pg.Pool,
  tenantId: string,
  ingestion: NewIngestion,
): Promise<InsertedIngestion> {
  for (;;) {
    const inserted = await insertNew(pool, tenantId, ingestion).catch(async (error: unknown) => {
      if (!(error instanceof DatabaseUnavailable)) throw error;
      // If the connection fails during the commit, the job may already exist. Repeating the transaction finds or
      // creates it.
      return await insertNew(pool, tenantId, ingestion, true);
    });
    if (inserted !== undefined) return inserted;
    // If garbage collection removes the key between the two statements, the next iteration can use it.
    const replayed = await replay(pool, tenantId, ingestion.idempotency);
    if (replayed !== undefined) return replayed;
  }
}

/**
 * Returns `undefined`, without inserting anything, if an earlier request used the key. `isRepeated` means that an
 * earlier transaction for this job may have been committed.
 */
async function insertNew(
  pool: pg.Pool,
  tenantId: string,
  ingestion: NewIngestion,
  isRepeated = false,
): Promise<InsertedIngestion | undefined> {
  const { id } = ingestion;
  const frames = {
    tenantId,
    ingestionId: id,
    isDryRun: ingestion.texts.dryRun,
    numbers: queuedNumbers(ingestion),
  };
  if (isDistributed(pool)) await reserveFrames(pool, frames);
  try {
    const row = await asTenant(pool, tenantId, async (client) => {
      // If the job exists, its frames are queued.
      if (await insertJob(client, tenantId, ingestion)) {
        await reserveKey(client, tenantId, ingestion);
        await insertFrames(client, tenantId, ingestion);
        if (isDistributed(client)) await releaseReserved(client, frames);
        else await queueFrames(client, frames);
        await insertFileFault(client, tenantId, ingestion);
      }
      return existing(await findIngestionsByIds(client, tenantId, [id]));
    });
    return { ingestion: row, replayed: false };
  } catch (error) {
    const isKeyInUse = error instanceof KeyInUseError;
    const mayBeCommitted = isRepeated || error instanceof DatabaseUnavailable;
    if (isDistributed(pool) && (isKeyInUse || !mayBeCommitted)) await removeReserved(pool, frames);
    if (isKeyInUse) return undefined;
    throw error;
  }
}

/** Returns false if the job already exists. Waits for a concurrent transaction that is inserting it. */
async function insertJob(client: Queryable, tenantId: string, ingestion: NewIngestion): Promise<boolean> {
  const { written, texts } = ingestion;
  const { rowCount } = await client.query(
    `insert into ingestions (tenant_id, id, api_key_id, requested_at, file_name, received_bytes, bytes,
       default_provider, default_account, total, frames, file_fault, request_id, traceparent, labels, coverage, dry_run,
       default_time)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
     on conflict do nothing`,
    [
      tenantId,
      ingestion.id,
      ingestion.apiKeyId,
      ingestion.requestedAt,
      ingestion.fileName,
      ingestion.receivedBytes,
      written.bytes,
      texts.provider,
      texts.account,
      written.records,
      written.frames.length,
      written.fault?.code ?? null,
      ingestion.requestId,
      ingestion.traceparent ?? null,
      JSON.stringify(texts.labels),
      texts.coverage,
      texts.dryRun,
      ingestion.defaultTime ?? null,
    ],
  );
  return rowCount === 1;
}

async function reserveKey(
  client: Queryable,
  tenantId: string,
  { id, idempotency }: NewIngestion,
): Promise<void> {
  if (idempotency === undefined) return;
  // This statement waits for concurrent requests with the same key, so that only one of them continues.
  const { rowCount } = await client.query(
    `insert into idempotency_keys (tenant_id, key, request_sha256, ingestion_id) values ($1, $2, $3, $4)
     on conflict do nothing`,
    [tenantId, idempotency.key, idempotency.sha256, id],
  );
  if (rowCount === 0) throw new KeyInUseError();
}

async function insertFrames(
  client: Queryable,
  tenantId: string,
  { id, written }: NewIngestion,
): Promise<void> {
  const { frames } = written;
  await client.query(
    `insert into frames (tenant_id, ingestion_id, number, first_record, records, byte_offset, bytes,
       blob_offset, blob_bytes, index_bytes, extract_bytes, data_crc32, index_crc32)
     select i.tenant_id, i.id, f.place - 1, f.first_record, f.records, f.byte_offset, f.bytes,
       f.blob_offset, f.blob_bytes, f.index_bytes, f.extract_bytes, f.data_crc32, f.index_crc32
     from ingestions i cross join unnest($3::bigint[], $4::int[], $5::bigint[], $6::bigint[], $7::bigint[], $8::int[],
       $9::int[], $10::int[], $11::bigint[], $12::bigint[]) with ordinality as f (first_record, records, byte_offset, bytes,
       blob_offset, blob_bytes, index_bytes, extract_bytes, data_crc32, index_crc32, place)
     where i.tenant_id = $1 and i.id = $2`,
    [
      tenantId,
      id,
      frames.map(({ firstRecord }) => firstRecord),
      frames.map(({ records }) => records),
      frames.map(({ byteOffset }) => byteOffset),
      frames.map(({ bytes }) => bytes),
      frames.map(({ blobOffset }) => blobOffset),
      frames.map(({ blobBytes }) => blobBytes),
      frames.map(({ indexBytes }) => indexBytes),
      frames.map(({ extractBytes }) => extractBytes),
      frames.map(({ dataCrc32 }) => dataCrc32),
      frames.map(({ indexCrc32 }) => indexCrc32),
    ],
  );
}

/** The frames of the upload, and the end of its job if it is more than that of its last frame. */
function queuedNumbers({ written: { frames }, texts }: NewIngestion): readonly number[] {
  return [...frames.keys(), ...(hasOwnEnd(texts) ? [endNumber(frames.length)] : [])];
}

async function insertFileFault(
  client: Queryable,
  tenantId: string,
  { id, written }: NewIngestion,
): Promise<void> {
  if (written.fault === undefined) return;
  const { code, byteOffset, detail } = written.fault;
  await client.query(
    'insert into ingestion_error_counts (tenant_id, ingestion_id, code, count) values ($1, $2, $3, 1)',
    [tenantId, id, code],
  );
  await client.query(
    'insert into ingestion_errors (tenant_id, ingestion_id, byte_offset, code, detail) values ($1, $2, $3, $4, $5)',
    [tenantId, id, byteOffset, code, detail],
  );
}

/**
 * Releases a key whose job ingested findings of a deleted provider, so that uploading the same file again creates a new
 * job.
 */
const RELEASE_KEY = `
  delete from idempotency_keys k where tenant_id = $1 and key = $2 and exists (
    select from scans s left join ${providerSubquery('s')} as p on true
    where s.tenant_id = $1 and s.ingestion_id = k.ingestion_id and (p.type is null or p.deleted_at is not null))`;

/**
 * Returns the job that an earlier request with this key created; `undefined` if there is none. Throws an ApiError (422)
 * if the content of that request differs.
 */
export async function replay(
  pool: pg.Pool,
  tenantId: string,
  idempotency: NewIngestion['idempotency'],
): Promise<InsertedIngestion | undefined> {
  if (idempotency === undefined) return undefined;
  const { key, sha256 } = idempotency;
  return await asTenant(pool, tenantId, async (client) => {
    await client.query(RELEASE_KEY, [tenantId, key]);
    const { rows } = await client.query<{ ingestion_id: string; request_sha256: Buffer }>(
      'select ingestion_id, request_sha256 from idempotency_keys where tenant_id = $1 and key = $2',
      [tenantId, key],
    );
    const [first] = rows;
    if (first === undefined) return undefined;
    if (!first.request_sha256.equals(sha256)) {
      throw new ApiError({
        status: 422,
        code: 'idempotency_key_reused',
        detail: `The key was already used for a different upload (ingestion ${first.ingestion_id}). Use a new key for each upload.`,
        source: { header: 'Idempotency-Key' },
      });
    }
    const found = await findIngestionsByIds(client, tenantId, [first.ingestion_id]);
    return { ingestion: existing(found), replayed: true };
  });
}

function existing<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('a row that this transaction requires does not exist');
  return row;
}
