import type pg from 'pg';
import { asExistingTenant } from '../../auth/operator-commands.ts';
import { recordOperatorEvent } from '../../auth/record-audit-event.ts';
import { isDistributed } from '../../db/distribution.ts';
import { FRAMES_CHANNEL } from '../../db/notifications.ts';
import { asTenant, type Queryable } from '../../db/transaction.ts';
import type { Coverage } from '../../ingest/upload/coverage.ts';
import {
  endNumber,
  type FramesOfJob,
  hasOwnEnd,
  releaseReserved,
  reserveFrames,
} from '../../ingest/worker/frame-queue.ts';
import { OperatorError } from '../../lib/errors.ts';
import { INGESTIONS } from '../../resources/ingestions.ts';

export interface RetriedJob {
  readonly id: string;
  /** The frames that were queued again, and their records. */
  readonly frames: number;
  readonly records: number;
}

/**
 * Queues the failed frames of a job again: those that were given up, and those waiting for their stored file. The
 * status of the job becomes `processing`. Frames that were given up keep their counts until they are ingested. Throws
 * an OperatorError if the job does not exist, its file was removed, or none of its frames failed.
 */
export async function retryJob(pool: pg.Pool, tenantId: string, id: string): Promise<RetriedJob> {
  const reserved = isDistributed(pool) ? await reserveGivenUp(pool, [tenantId, id]) : undefined;
  return await asExistingTenant(pool, tenantId, async (client) => {
    const jobs = await client.query<{ blob_removed_at: Date | null; dry_run: boolean }>(
      'select blob_removed_at, dry_run from ingestions where tenant_id = $1 and id = $2',
      [tenantId, id],
    );
    const [job] = jobs.rows;
    if (job === undefined) throw new OperatorError(`the tenant has no ingestion ${id}`);
    const isRemoved = `the file of ingestion ${id} was removed`;
    if (job.blob_removed_at !== null) throw new OperatorError(isRemoved);
    const ids: JobIds = [tenantId, id];
    // Takes locks in the same order as the workers: queue, frames, job.
    const waiting = await rescheduleWaiting(client, ids);
    const failed = await (reserved === undefined
      ? queueGivenUp(client, ids, job.dry_run)
      : resetGivenUp(client, reserved));
    const rows = [...waiting, ...failed];
    if (rows.length === 0) throw new OperatorError(`ingestion ${id} has no failed frames`);
    if (failed.length > 0) {
      const { rowCount } = await client.query(
        `update ingestions set status = 'processing', completed_at = null, frames_done = frames_done - $3
         where tenant_id = $1 and id = $2 and blob_removed_at is null`,
        [...ids, failed.length],
      );
      // In the meantime, garbage collection has removed the file.
      if (rowCount === 0) throw new OperatorError(isRemoved);
    }
    const records = rows.reduce((sum, frame) => sum + frame.records, 0);
    await recordOperatorEvent(client, tenantId, {
      action: 'ingestion.retried',
      targetType: INGESTIONS,
      targetId: id,
      changes: { frames: rows.length, records },
    });
    await client.query(`notify ${FRAMES_CHANNEL}`);
    return { id, frames: rows.length, records };
  });
}

type JobIds = readonly [tenantId: string, ingestionId: string];

interface FailedFrame {
  readonly number: number;
  readonly records: number;
}

/**
 * Makes the frames that wait for their stored file available at once. Waits for attempts in progress, which may have
 * read the file before it was restored.
 */
async function rescheduleWaiting(client: Queryable, ids: JobIds): Promise<readonly FailedFrame[]> {
  const waiting = await client.query<{ number: number }>(
    `select number from frames where tenant_id = $1 and ingestion_id = $2 and file_fault is not null and done_at is null`,
    [...ids],
  );
  const rescheduled = await client.query<{ number: number }>(
    `update frame_queue set available_at = clock_timestamp()
     where tenant_id = $1 and ingestion_id = $2 and number = any($3::int[]) returning number`,
    [...ids, numbersOf(waiting.rows)],
  );
  const { rows } = await client.query<FailedFrame>(
    `update frames set interruptions = 0, failures = 0
     where tenant_id = $1 and ingestion_id = $2 and number = any($3::int[]) and file_fault is not null
     returning number, records`,
    [...ids, numbersOf(rescheduled.rows)],
  );
  return rows;
}

/** Queues the frames that were given up, unless another command is doing so. */
async function queueGivenUp(
  client: Queryable,
  ids: JobIds,
  isDryRun: boolean,
): Promise<readonly FailedFrame[]> {
  const queued = await client.query<{ number: number }>(
    'select number from frame_queue where tenant_id = $1 and ingestion_id = $2',
    [...ids],
  );
  const failed = await client.query<FailedFrame>(
    `update frames set failures = 0, interruptions = 0, is_begun = false, file_fault = null
     where tenant_id = $1 and ingestion_id = $2 and given_up_as is not null and number <> all($3::int[])
     returning number, records`,
    [...ids, numbersOf(queued.rows)],
  );
  const inserted = await client.query<{ number: number }>(
    `insert into frame_queue (tenant_id, ingestion_id, number, dry_run) select $1, $2, unnest($3::int[]), $4
     on conflict do nothing returning number`,
    [...ids, numbersOf(failed.rows), isDryRun],
  );
  const numbers = new Set(numbersOf(inserted.rows));
  return failed.rows.filter(({ number }) => numbers.has(number));
}

/**
 * Reserves the frames of a distributed database that were given up, and the end of their job, and returns them. Workers
 * remove them from the queue if the command fails later.
 */
async function reserveGivenUp(
  pool: pg.Pool,
  [tenantId, ingestionId]: JobIds,
): Promise<FramesOfJob | undefined> {
  const frames = await asTenant(pool, tenantId, async (client) => {
    const ids = [tenantId, ingestionId];
    const jobs = await client.query<{ frames: number; coverage: Coverage; dryRun: boolean }>(
      'select frames, coverage, dry_run as "dryRun" from ingestions where tenant_id = $1 and id = $2',
      ids,
    );
    const [job] = jobs.rows;
    if (job === undefined) return undefined;
    const givenUp = await client.query<{ number: number }>(
      `select number from frames
       where tenant_id = $1 and ingestion_id = $2 and given_up_as is not null and done_at is not null`,
      ids,
    );
    const numbers = [...numbersOf(givenUp.rows), ...(hasOwnEnd(job) ? [endNumber(job.frames)] : [])];
    return { tenantId, ingestionId, numbers, isDryRun: job.dryRun };
  });
  if (frames !== undefined) await reserveFrames(pool, frames);
  return frames;
}

/** Like `queueGivenUp`, for reserved frames. Waits for another command, whose frames it does not reset. */
async function resetGivenUp(client: Queryable, frames: FramesOfJob): Promise<readonly FailedFrame[]> {
  await releaseReserved(client, frames);
  const { rows } = await client.query<FailedFrame>(
    `update frames set failures = 0, interruptions = 0, is_begun = false, file_fault = null, done_at = null
     where tenant_id = $1 and ingestion_id = $2 and number = any($3::int[]) and given_up_as is not null
       and done_at is not null
     returning number, records`,
    [frames.tenantId, frames.ingestionId, [...frames.numbers]],
  );
  return rows;
}

function numbersOf(frames: readonly { readonly number: number }[]): number[] {
  return frames.map(({ number }) => number);
}
