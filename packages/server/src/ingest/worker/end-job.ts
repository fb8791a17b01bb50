import type pg from 'pg';
import type { Logger } from 'pino';
import { withHashJoins } from '../../db/planner-settings.ts';
import { inTransaction, type Queryable, setTenant } from '../../db/transaction.ts';
import { withCleanup } from '../../lib/errors.ts';
import { requeueDeliveries } from '../../webhooks/delivery-queue.ts';
import { recordPastResolutions } from '../changes/past-resolutions.ts';
import { type DryRunReport, endDryRun } from '../dry-run/end-dry-run.ts';
import { findStoredScopes, isManualCoverage, publishScopes } from '../merge/coverage-scopes.ts';
import { hasNewerScans, type ReappearedFinding, reappearedFindings } from '../merge/reappeared-findings.ts';
import {
  type AbsentFinding,
  absentFindings,
  lockCoverage,
  resolveAbsent,
} from '../merge/resolve-findings.ts';
import type { Coverage } from '../upload/coverage.ts';
import { withJitter } from './backoff.ts';
import { type ClaimedFrame, rescheduleFrame } from './claim.ts';
import { coverageWarning, productWarning } from './coverage-warning.ts';
import { ENDED_JOB, type EndedJob, type JobProblem, storeProblems } from './finish-frame.ts';
import { dequeueFrame, endNumber } from './frame-queue.ts';
import { recordJobEnd } from './job-events.ts';
import type { FrameContext } from './process-frame.ts';

/** A job whose end is queued, because its upload declares a coverage or is a dry run. */
export interface QueuedEnd {
  readonly status: string;
  readonly isDryRun: boolean;
  /** Whether the file or a record is invalid. */
  readonly hasFailed: boolean;
  readonly warningsKept: number;
  /** Of a dry run that has ended before. */
  readonly report: DryRunReport | null;
  readonly coverage: Coverage;
  readonly frames: number;
  readonly framesDone: number;
  /** As in `FrameJob`. */
  readonly requestId: string | null;
}

/** Returns the job if the claim is of its end, and `manual` if it is of a manual coverage, and not of a frame. */
export async function findQueuedEnd(
  client: Queryable,
  { tenantId, ingestionId, number }: ClaimedFrame,
): Promise<QueuedEnd | 'manual' | undefined> {
  return await inTransaction(client, tenantId, async () => {
    const { rows } = await client.query<QueuedEnd>(
      `select status, coverage, frames, frames_done as "framesDone", request_id as "requestId", dry_run as "isDryRun",
         invalid > 0 or file_fault is not null or detection_findings = 0 as "hasFailed",
         warnings_kept::float8 as "warningsKept", dry_run_report as report
       from ingestions where tenant_id = $1 and id = $2`,
      [tenantId, ingestionId],
    );
    const [job] = rows;
    if (job !== undefined) return number === endNumber(job.frames) ? job : undefined;
    return (await isManualCoverage(client, tenantId, ingestionId)) ? 'manual' : undefined;
  });
}

/** Delay until the end of a job is claimed again if frames are in progress. The last frame makes it available at once. */
const WAIT_MS = 5000;
/**
 * Interval of statements on the connection that holds the claim, while another one waits for frames in progress or reads
 * the findings of all accounts: the claim is lost if its transaction is idle for too long (`IDLE_IN_TRANSACTION_MS`).
 */
const PING_MS = 15_000;
const UPGRADED = 'an earlier release processed some of the records during an upgrade';
/** Findings per transaction. A frame that updates one of them waits for the rest of the transaction. */
const BATCH_ROWS = 1000;

/**
 * Ends a job whose end was queued. The caller commits the transaction of `work`, which holds the claim. Returns the job if
 * it has ended.
 */
export async function endJob(
  context: Pick<FrameContext, 'work' | 'side' | 'publicUrl' | 'limits'>,
  claim: ClaimedFrame,
  job: QueuedEnd,
  log: Logger,
): Promise<EndedJob | undefined> {
  const { work, limits } = context;
  if (job.framesDone < job.frames) {
    await rescheduleFrame(work, claim, 'not_counted', withJitter(WAIT_MS));
    return undefined;
  }
  await setTenant(work, claim.tenantId);
  await dequeueFrame(work, claim);
  // If there are errors, the last frame has ended the job.
  if (job.status === 'failed') return undefined;
  if (!job.isDryRun) return await applyCoverage(context, claim, job, log);
  // Otherwise, the coordinator of a cluster has lost an earlier commit.
  if (job.status !== 'processing') return undefined;
  return await endDryRun(work, claim, job, limits.errorsKeptPerJob);
}

/**
 * Ends a job whose upload declares a coverage: resolves the findings that it is complete for but does not contain, in
 * short transactions of `side`. If the worker is killed in between, another one continues.
 */
async function applyCoverage(
  { work, side, publicUrl }: Pick<FrameContext, 'work' | 'side' | 'publicUrl'>,
  claim: ClaimedFrame,
  { status, coverage, frames }: QueuedEnd,
  log: Logger,
): Promise<EndedJob | undefined> {
  const { tenantId, ingestionId } = claim;
  const ids = [tenantId, ingestionId];
  const { isPublished, warning } = await whileClaimed(work, () => publish(side, claim, frames));
  if (isPublished) {
    const resolved = await whileClaimed(work, () => resolveAll(side, claim, coverage, ingestionId));
    log.info({ resolved }, 'the coverage of an upload was applied');
  }
  // Otherwise, the previous release has ended the job, or the coordinator of a cluster has lost an earlier commit.
  if (warning !== undefined && status === 'processing')
    await storeProblems(work, 'warning', ids, { counts: new Map([[warning.code, 1]]), kept: [warning] });
  await work.query('delete from coverage_parts where tenant_id = $1 and ingestion_id = $2', ids);
  const { rows } = await work.query<EndedJob>(END, [...ids, warning === undefined ? 0 : 1]);
  if (rows[0] === undefined) await requeueDeliveries(side, tenantId);
  else await recordJobEnd(work, claim, publicUrl);
  return rows[0];
}

const END = `
  update ingestions set status = 'completed', completed_at = statement_timestamp(), warnings = warnings + $3,
    warnings_kept = warnings_kept + $3
  where tenant_id = $1 and id = $2 and completed_at is null
  returning ${ENDED_JOB}`;

/** Publishes the coverage of the upload. Returns a warning if it cannot be applied, or not to all accounts. */
async function publish(
  side: Queryable,
  { tenantId, ingestionId }: ClaimedFrame,
  frames: number,
): Promise<{ readonly isPublished: boolean; readonly warning: JobProblem | undefined }> {
  return await inTransaction(side, tenantId, async () => {
    const scopes = await findStoredScopes(side, tenantId, ingestionId);
    if (scopes.frames < frames) return { isPublished: false, warning: coverageWarning(UPGRADED) };
    const warning = productWarning(scopes);
    if (scopes.withProduct === 0) return { isPublished: false, warning };
    await lockCoverage(side, tenantId);
    await publishScopes(side, tenantId, ingestionId);
    return { isPublished: true, warning };
  });
}

/** Resolves the findings of a manual coverage. The transaction of `work` holds the claim, and the caller commits it. */
export async function resolveManually(
  { work, side }: { readonly work: Queryable; readonly side: Queryable },
  claim: ClaimedFrame,
  log: Logger,
): Promise<void> {
  await dequeueFrame(work, claim);
  const resolved = await whileClaimed(work, () => resolveAll(side, claim, 'account', null));
  log.info({ resolved }, "the findings of a provider's product were resolved");
}

/** Applies a published coverage. `resolvedBy` is null if it is that of a user. */
async function resolveAll(
  side: Queryable,
  { tenantId, ingestionId }: ClaimedFrame,
  coverage: Coverage,
  resolvedBy: string | null,
): Promise<number> {
  let resolved = 0;
  const ids = { tenantId, ingestionId };
  const absent = { ...ids, select: absentFindings(coverage) };
  await inBatches<AbsentFinding>(side, absent, async (findings) => {
    resolved += await resolveAbsent(side, tenantId, { id: ingestionId, resolvedBy }, findings);
  });
  // Afterwards, so that it includes findings with a newer record since then.
  const isLate = await inTransaction(side, tenantId, () => hasNewerScans(side, tenantId, ingestionId));
  if (isLate) {
    const reappeared = { ...ids, select: reappearedFindings(coverage) };
    await inBatches<ReappearedFinding>(side, reappeared, async (findings) => {
      await recordPastResolutions(side, tenantId, ingestionId, findings);
    });
  }
  return resolved;
}

interface FindingsInScopes {
  readonly tenantId: string;
  readonly ingestionId: string;
  /** SQL. Its parameters are the tenant ($1) and the upload ($2). */
  readonly select: string;
}

/** Selects findings once, through a cursor: a new query after each batch would read all of them again. */
async function inBatches<Finding extends pg.QueryResultRow>(
  side: Queryable,
  { tenantId, ingestionId, select }: FindingsInScopes,
  work: (findings: readonly Finding[]) => Promise<void>,
): Promise<void> {
  // If it could not be closed, the cursor of an earlier attempt still exists.
  await side.query('close all');
  const declare = () =>
    side.query(`declare in_scopes no scroll cursor with hold for ${select}`, [tenantId, ingestionId]);
  await inTransaction(side, tenantId, () => withHashJoins(side, declare));
  const workOnAll = async () => {
    for (;;) {
      const { rows } = await side.query<Finding>(`fetch ${BATCH_ROWS} from in_scopes`);
      if (rows.length === 0) return;
      await inTransaction(side, tenantId, () => work(rows));
    }
  };
  await withCleanup(workOnAll, () => side.query('close in_scopes'));
}

/** Runs work on another connection without losing the claim. Throws if the claim is lost nevertheless. */
async function whileClaimed<Result>(work: Queryable, action: () => Promise<Result>): Promise<Result> {
  let ping: Promise<unknown> = Promise.resolve();
  let lost: { readonly error: unknown } | undefined;
  const timer = setInterval(() => {
    ping = work.query('select').catch((error: unknown) => {
      lost = { error };
    });
  }, PING_MS);
  const result = await withCleanup(action, async () => {
    clearInterval(timer);
    await ping;
  });
  if (lost !== undefined) throw lost.error;
  return result;
}
