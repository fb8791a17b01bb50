import type pg from 'pg';
import { type Queryable, queryOnce } from '../../db/transaction.ts';
import { type Coverage, DEFAULT_COVERAGE } from '../upload/coverage.ts';
import type { ClaimedFrame } from './claim.ts';

// On a distributed database, the queue is on the coordinator and frames are on the node of their tenant. A transaction
// that changes both is first committed by the node and then by the coordinator, which a crash may prevent. Every
// unfinished frame must be queued nevertheless. Workers remove queued frames that are done or do not exist.

// The end of a job that has to resolve findings or to report a dry run is queued with its frames, and a manual coverage is
// queued alone. They have no row in `frames`.

/** Whether the end of a job is queued. If not, the job ends with its last frame. */
export function hasOwnEnd({
  coverage,
  dryRun,
}: {
  readonly coverage: Coverage;
  readonly dryRun: boolean;
}): boolean {
  return coverage !== DEFAULT_COVERAGE || dryRun;
}

/** The number under which the end of a job is queued. `frames` is its number of frames. */
export function endNumber(frames: number): number {
  return frames;
}

/** The number under which the work of a manual coverage is queued; `ingestion_id` is its id. */
export const MANUAL_NUMBER = 0;

/** Frames of one job, by number. */
export interface FramesOfJob {
  readonly tenantId: string;
  readonly ingestionId: string;
  readonly numbers: readonly number[];
  /** Hides the frames from releases without dry runs. */
  readonly isDryRun: boolean;
}

/**
 * Queues frames of a distributed database that the next transaction will create or reset. Workers do not see them until
 * that transaction calls `releaseReserved`. If it never commits, workers find them later, see `awaitFrame`. Throws
 * DatabaseUnavailable.
 */
export async function reserveFrames(pool: pg.Pool, frames: FramesOfJob): Promise<void> {
  // One minute is the time limit of the next transaction.
  await queryOnce(
    pool,
    `insert into frame_queue (tenant_id, ingestion_id, number, dry_run, available_at)
     select $1, $2, number, $4, clock_timestamp() + interval '1 minute' from unnest($3::int[]) as number
     on conflict do nothing`,
    valuesOf(frames),
  );
}

/** Removes reserved frames whose transaction was rolled back. Throws DatabaseUnavailable. */
export async function removeReserved(pool: pg.Pool, frames: FramesOfJob): Promise<void> {
  await queryOnce(
    pool,
    'delete from frame_queue where tenant_id = $1 and ingestion_id = $2 and number = any($3::int[])',
    valuesOf(frames).slice(0, 3),
  );
}

/** Queues frames, in the open transaction. */
export async function queueFrames(client: Queryable, frames: FramesOfJob): Promise<void> {
  await client.query(
    'insert into frame_queue (tenant_id, ingestion_id, number, dry_run) select $1, $2, unnest($3::int[]), $4',
    valuesOf(frames),
  );
}

/**
 * Makes frames available to workers when the open transaction commits, and queues those that are not queued. Waits for
 * attempts in progress.
 */
export async function releaseReserved(client: Queryable, frames: FramesOfJob): Promise<void> {
  await client.query(
    `insert into frame_queue (tenant_id, ingestion_id, number, dry_run) select $1, $2, unnest($3::int[]), $4
     on conflict (tenant_id, ingestion_id, number) do update set available_at = excluded.available_at`,
    valuesOf(frames),
  );
}

function valuesOf({ tenantId, ingestionId, numbers, isDryRun }: FramesOfJob): unknown[] {
  return [tenantId, ingestionId, [...numbers], isDryRun];
}

/** Removes a claimed frame from the queue. */
export async function dequeueFrame(
  client: Queryable,
  { tenantId, ingestionId, number }: ClaimedFrame,
): Promise<void> {
  await client.query('delete from frame_queue where tenant_id = $1 and ingestion_id = $2 and number = $3', [
    tenantId,
    ingestionId,
    number,
  ]);
}

/**
 * Delays a claimed frame that does not exist by the time that it has been queued, because its upload may not have been
 * committed yet. After an hour, no upload can be in progress, and the frame is removed. Returns whether it was.
 */
export async function awaitFrame(
  client: Queryable,
  { tenantId, ingestionId, number }: ClaimedFrame,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `with removed as (
       delete from frame_queue where tenant_id = $1 and ingestion_id = $2 and number = $3
         and queued_at < now() - interval '1 hour'
     )
     update frame_queue set available_at = now() + greatest(now() - queued_at, interval '1 second')
     where tenant_id = $1 and ingestion_id = $2 and number = $3 and queued_at >= now() - interval '1 hour'`,
    [tenantId, ingestionId, number],
  );
  return rowCount === 0;
}

/** Delays all frames of a tenant that no worker holds. */
export async function delayFrames(client: Queryable, tenantId: string, delayMs: number): Promise<void> {
  await client.query(
    `update frame_queue set available_at = clock_timestamp() + $2 * interval '1 millisecond'
     where (ingestion_id, number) in (
       select ingestion_id, number from frame_queue
       where tenant_id = $1 and available_at < clock_timestamp() + $2 * interval '1 millisecond'
       for update skip locked
     ) and tenant_id = $1`,
    [tenantId, delayMs],
  );
}
