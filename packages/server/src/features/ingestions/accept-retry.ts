import type { FileFault } from '@sluice/ocsf';
import type pg from 'pg';
import { blobKey } from '../../blobs/blob-store.ts';
import type { Limits } from '../../config/config.ts';
import { onlyRow } from '../../db/only-row.ts';
import { type Queryable, readAsTenant } from '../../db/transaction.ts';
import { findExisting } from '../../http/endpoints/resource-type.ts';
import { copyFrames } from '../../ingest/frames/copy-frames.ts';
import { type Frame, StoredFileError } from '../../ingest/frames/stored-frame.ts';
import type { TextParts } from '../../ingest/upload/text-parts.ts';
import { fileRemoved, ingestionInProgress } from '../../jsonapi/errors.ts';
import { type IngestionRow, ingestionResourceType } from '../../resources/ingestions.ts';
import { type AcceptContext, type AcceptRequest, acceptFile, idempotencyOf } from './accept-file.ts';
import { type InsertedIngestion, replay } from './insert-ingestion.ts';

export interface RetryContext extends AcceptContext {
  readonly limits: Limits;
}

export interface RetryRequest extends AcceptRequest {
  /** The job whose file is ingested again. */
  readonly originId: string | undefined;
  /**
   * Defaults for records that do not specify a provider or an account. The other fields are those of the original job.
   */
  readonly defaults: Pick<TextParts, 'provider' | 'account'>;
  /** Ends the copy with the abort reason. */
  readonly signal: AbortSignal;
}

/** Number of frames per query. */
const FRAMES_AT_ONCE = 500;
const HOUR_MS = 3_600_000;

/**
 * Creates a job from the stored file of an ended job, with other defaults. The new job has its own copy of the file,
 * because the retention period of the original file may end first. Throws an ApiError: 404 if the original job does not
 * exist, 409 if it has not ended, 410 if its file was removed.
 */
export async function acceptRetry(context: RetryContext, retry: RetryRequest): Promise<InsertedIngestion> {
  const { pool } = context;
  const { tenantId, idempotencyKey, originId, defaults } = retry;
  const origin = await findOrigin(pool, tenantId, originId);
  const { job, fault } = origin;
  const { coverage, dry_run: dryRun, labels } = job;
  const texts = { ...defaults, coverage, dryRun, labels };
  const idempotency = idempotencyOf(idempotencyKey, `retry ${job.id}`, texts);
  // Finds the job of a repeated request before the file is copied.
  const replayed = await replay(pool, tenantId, idempotency);
  if (replayed !== undefined) return replayed;
  return await acceptFile(context, retry, async (key) => {
    const frames = await copyFile(context, retry, origin, key).catch(async (error: unknown) => {
      // If garbage collection has removed the file in the meantime, this throws the error response.
      if (error instanceof StoredFileError) await findOrigin(pool, tenantId, originId);
      throw error;
    });
    const written = { frames, bytes: job.bytes, records: job.total, fault };
    return {
      fileName: job.file_name,
      texts,
      receivedBytes: job.received_bytes,
      written,
      idempotency,
      defaultTime: origin.defaultTime,
    };
  });
}

interface Origin {
  readonly job: IngestionRow;
  readonly frames: number;
  readonly fault: FileFault | undefined;
  /** Time of its records that do not specify one. */
  readonly defaultTime: Date;
}

async function findOrigin(pool: pg.Pool, tenantId: string, id: string | undefined): Promise<Origin> {
  return await readAsTenant(pool, tenantId, async (client) => {
    const job = await findExisting(ingestionResourceType, client, tenantId, id);
    if (job.completed_at === null)
      throw ingestionInProgress(job.id, 'Retry it when its status is completed or failed.');
    const stored = await client.query<{ frames: number; blob_removed_at: Date | null; defaultTime: Date }>(
      'select frames, blob_removed_at, coalesce(default_time, requested_at) as "defaultTime" from ingestions where tenant_id = $1 and id = $2',
      [tenantId, job.id],
    );
    const { frames, blob_removed_at, defaultTime } = onlyRow(stored);
    if (blob_removed_at !== null) throw fileRemoved(job.id, 'Upload the file again.');
    const faults = await client.query<FileFault>(
      `select e.code, e.byte_offset::float8 as "byteOffset", e.detail
       from ingestions i join ingestion_errors e on e.ingestion_id = i.id and e.code = i.file_fault
       where i.tenant_id = $1 and e.tenant_id = $1 and i.id = $2 and e.record_index is null`,
      [tenantId, job.id],
    );
    return { job, frames, fault: faults.rows[0], defaultTime };
  });
}

async function copyFile(
  { pool, blobs, limits }: RetryContext,
  { log, tenantId, signal }: RetryRequest,
  { job, frames: count }: Origin,
  target: string,
): Promise<readonly Frame[]> {
  const source = blobKey(tenantId, job.id, new Date(job.requested_at));
  const onAbortFailed = (error: unknown) => {
    log.warn(
      { err: error, key: target },
      'the blob of a failed retry could not be removed; garbage collection will remove it',
    );
  };
  const deadline = performance.now() + limits.uploadMaxHours * HOUR_MS;
  async function* frames(): AsyncGenerator<Frame> {
    for (let number = 0; number < count; ) {
      // Garbage collection would remove the parts of a blob that takes longer.
      if (performance.now() > deadline) throw new Error(`${source} could not be copied in time`);
      const next = await readAsTenant(pool, tenantId, (client) =>
        findFrames(client, tenantId, job.id, number),
      );
      if (next.length === 0)
        throw new StoredFileError('file_missing', `frame ${number} of ${source} does not exist`);
      yield* next;
      number += next.length;
    }
  }
  return await copyFrames(blobs, { source, target, signal, onAbortFailed }, frames());
}

/** Returns the next frames of a job in order. No connection is held while they are copied. */
async function findFrames(
  client: Queryable,
  tenantId: string,
  ingestionId: string,
  from: number,
): Promise<readonly Frame[]> {
  const { rows } = await client.query<Frame>(
    `select first_record::float8 as "firstRecord", records, byte_offset::float8 as "byteOffset", bytes::float8 as bytes,
       blob_offset::float8 as "blobOffset", blob_bytes as "blobBytes", index_bytes as "indexBytes",
       extract_bytes as "extractBytes", data_crc32::float8 as "dataCrc32", index_crc32::float8 as "indexCrc32"
     from frames where tenant_id = $1 and ingestion_id = $2 and number >= $3 order by number limit $4`,
    [tenantId, ingestionId, from, FRAMES_AT_ONCE],
  );
  return rows;
}
