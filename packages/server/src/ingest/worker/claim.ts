import { isDistributed } from '../../db/distribution.ts';
import { inTransaction, type Queryable, setTenant } from '../../db/transaction.ts';
import type { StoredFileFault } from '../../observability/worker-report.ts';
import type { Frame } from '../frames/stored-frame.ts';
import type { Coverage } from '../upload/coverage.ts';

/** A frame that this worker holds. The open transaction locks its row in the queue. */
export interface ClaimedFrame {
  readonly tenantId: string;
  readonly ingestionId: string;
  readonly number: number;
}

/** A claimed frame with everything that a worker needs to process it. */
export interface FrameJob extends ClaimedFrame, Frame {
  /** Attempts that failed with an internal error. */
  readonly failures: number;
  /**
   * Attempts that were interrupted: the worker died, its connection broke, or the blob store did not return the
   * frame.
   */
  readonly interruptions: number;
  /** The fault in the stored file, if the frame is waiting for the file to be repaired. */
  readonly fileFault: StoredFileFault | null;
  /** The error code under which the frame's records were counted when an earlier run gave up on the frame. */
  readonly givenUpAs: string | null;
  /** Whether the previous attempt was interrupted. */
  readonly wasInterrupted: boolean;
  readonly requestedAt: Date;
  readonly defaultProvider: string | null;
  readonly defaultAccount: string | null;
  /** Time of records that do not specify one. */
  readonly defaultTime: Date;
  readonly coverage: Coverage;
  /** Number of frames of the job. */
  readonly frames: number;
  readonly isDryRun: boolean;
  /** The request id of the upload; null for uploads from releases that did not store it. */
  readonly requestId: string | null;
  readonly traceparent: string | null;
}

/**
 * Claims a frame for the open transaction, from the first tenant with queued frames after `afterTenant`
 * (round-robin). Skips the jobs in `fullJobs`.
 */
export async function claimFrame(
  client: Queryable,
  afterTenant: string,
  fullJobs: readonly string[],
): Promise<ClaimedFrame | undefined> {
  const { rows } = await client.query<ClaimedFrame>(
    `select tenant_id as "tenantId", ingestion_id as "ingestionId", number from claim_frame($1, $2, with_dry_runs => true)`,
    [afterTenant, fullJobs],
  );
  return rows[0];
}

/**
 * The columns of a `FrameJob`, of the frame `b` of the ingestion `i`, except whether the previous attempt was
 * interrupted.
 */
const FRAME_JOB = `b.tenant_id as "tenantId", b.ingestion_id as "ingestionId", b.number, b.first_record::float8 as "firstRecord",
       b.records, b.byte_offset::float8 as "byteOffset", b.bytes::float8 as bytes, b.blob_offset::float8 as "blobOffset",
       b.blob_bytes as "blobBytes", b.index_bytes as "indexBytes", b.extract_bytes as "extractBytes", b.data_crc32::float8 as "dataCrc32",
       b.index_crc32::float8 as "indexCrc32", b.file_fault as "fileFault", b.given_up_as as "givenUpAs", b.failures, b.interruptions,
       i.requested_at as "requestedAt", i.default_provider as "defaultProvider", i.default_account as "defaultAccount",
       coalesce(i.default_time, i.requested_at) as "defaultTime", i.coverage, i.frames, i.dry_run as "isDryRun",
       i.request_id as "requestId", i.traceparent`;

/**
 * Marks the frame as in progress and its job as processing. Uses a separate connection, so that both changes are
 * visible immediately and persist if the frame's transaction is rolled back. A claim may be of the end of a job, which is
 * not a frame (`missing`); on a distributed database, a queued frame may also be done or missing.
 */
export async function startFrame(
  client: Queryable,
  claim: ClaimedFrame,
): Promise<FrameJob | 'done' | 'missing'> {
  const { tenantId, ingestionId, number } = claim;
  const ids = [tenantId, ingestionId, number];
  const start = async () => {
    const { rows } = await client.query<FrameJob>(isDistributed(client) ? START_UNDONE : START, ids);
    if (rows[0] !== undefined) return rows[0];
    if (!isDistributed(client)) return 'missing';
    const { rowCount } = await client.query(
      'select from frames where tenant_id = $1 and ingestion_id = $2 and number = $3',
      ids,
    );
    return rowCount === 0 ? 'missing' : 'done';
  };
  return await inTransaction(client, tenantId, start, { isAsynchronous: true });
}

const START = startSql('');
/** Waits for a transaction of another worker that has lost its claim but that the node may still commit. */
const START_UNDONE = startSql('and done_at is null');

/**
 * Updates the job only if the frame exists, that is, not for the end of a job. The worker of the last frame locks the job
 * and waits for the claim of the end. If this worker holds that claim and waits for the job, PostgreSQL does not detect the
 * deadlock, because the claim and the update use different connections.
 */
function startSql(condition: string): string {
  return `with before as (
       select is_begun from frames where tenant_id = $1 and ingestion_id = $2 and number = $3
     ), begun as (
       update frames set interruptions = least(interruptions + is_begun::int, 1000), is_begun = true
       where tenant_id = $1 and ingestion_id = $2 and number = $3 ${condition}
       returning *
     ), started as (
       update ingestions set status = 'processing', started_at = statement_timestamp()
       where tenant_id = $1 and id = $2 and status = 'pending' and exists (select from begun)
     )
     select ${FRAME_JOB}, before.is_begun as "wasInterrupted"
     from before, begun b join ingestions i on i.tenant_id = $1 and i.id = b.ingestion_id`;
}

/** Returns a frame that has been processed, in the open transaction; `undefined` if it or its file was removed. */
export async function findStoredFrame(
  client: Queryable,
  { tenantId, ingestionId, number }: ClaimedFrame,
): Promise<FrameJob | undefined> {
  const { rows } = await client.query<FrameJob>(
    `select ${FRAME_JOB}, false as "wasInterrupted"
     from frames b join ingestions i on i.tenant_id = $1 and i.id = b.ingestion_id
     where b.tenant_id = $1 and b.ingestion_id = $2 and b.number = $3 and i.blob_removed_at is null`,
    [tenantId, ingestionId, number],
  );
  return rows[0];
}

/**
 * How a failed attempt is counted. A fault that affects every frame, such as an unavailable database, does not count.
 */
export type AttemptOutcome = 'failure' | 'interruption' | 'not_counted';

/** Makes a claimed frame available to all workers again after a delay, once the transaction that holds it commits. */
export async function rescheduleFrame(
  client: Queryable,
  { tenantId, ingestionId, number }: ClaimedFrame,
  outcome: AttemptOutcome,
  delayMs: number,
  fileFault: StoredFileFault | null = null,
): Promise<void> {
  await setTenant(client, tenantId);
  await client.query(
    `update frame_queue set available_at = clock_timestamp() + $4 * interval '1 millisecond'
     where tenant_id = $1 and ingestion_id = $2 and number = $3`,
    [tenantId, ingestionId, number, delayMs],
  );
  await client.query(
    `update frames set is_begun = false, failures = least(failures + $4, 1000),
       interruptions = least(interruptions + $5, 1000),
       file_fault = case when $7 then file_fault else $6 end
     where tenant_id = $1 and ingestion_id = $2 and number = $3`,
    [
      tenantId,
      ingestionId,
      number,
      outcome === 'failure' ? 1 : 0,
      outcome === 'interruption' ? 1 : 0,
      fileFault,
      outcome === 'not_counted',
    ],
  );
}

/** Milliseconds until the next rescheduled frame can be claimed; `undefined` if there is none. */
export async function msUntilNextFrame(client: Queryable): Promise<number | undefined> {
  const { rows } = await client.query<{ delay: number | null }>(
    `select extract(epoch from min(available_at) - clock_timestamp())::float8 * 1000 as delay
     from frame_queue where available_at > clock_timestamp()`,
  );
  return rows[0]?.delay ?? undefined;
}
