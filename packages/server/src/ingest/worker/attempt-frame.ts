import type { Logger } from 'pino';
import { BLOB_STORE_MARKER, type BlobStore, isBlobStoreUnavailable } from '../../blobs/blob-store.ts';
import { classifyDatabaseError, isOfNode } from '../../db/database-errors.ts';
import { isDistributed } from '../../db/distribution.ts';
import { type Queryable, rollback, setTenant, TransactionLost } from '../../db/transaction.ts';
import type { StoredFileFault } from '../../observability/worker-report.ts';
import { requeueDeliveries } from '../../webhooks/delivery-queue.ts';
import { MissedOwnRecords } from '../changes/own-records.ts';
import { StoredFileError } from '../frames/stored-frame.ts';
import { maxRetryDelay, withJitter } from './backoff.ts';
import { type ClaimedFrame, claimFrame, type FrameJob, rescheduleFrame, startFrame } from './claim.ts';
import { endJob, findQueuedEnd, type QueuedEnd, resolveManually } from './end-job.ts';
import { tryToFoldTotals, WHILE_BUSY } from './fold-totals.ts';
import { awaitFrame, delayFrames, dequeueFrame } from './frame-queue.ts';
import { type FrameEnd, FrameWatch, type WorkerTelemetry } from './frame-watch.ts';
import { type FrameContext, failFrame, processFrame } from './process-frame.ts';

/** Number of internal errors after which a frame is given up and its records count as invalid. */
export const MAX_FAILURES = 6;
/** The same limit for interruptions. It is higher, because a killed worker or a restarted database may be the cause. */
export const MAX_INTERRUPTIONS = 20;
/**
 * Delay before a frame is retried after the database was unavailable. The number of retries is not limited: if the
 * frame itself causes the error, other frames are processed in the meantime.
 */
const UNAVAILABLE_DELAY_MS = 5000;
/** Delays before a claim is retried if an attempt fails before a frame is started, or at the end of a job. */
const UNSTARTED_DELAY_MS = { failure: 30_000, interruption: 5000 } as const;
/**
 * Pending changes are added to the totals after every eighth frame of a job and after its last frame, if there are
 * enough of them.
 */
const TOTALS_INTERVAL_FRAMES = 8;

/** Begins a transaction that counts the changes of findings itself, so that the triggers of migration 0029 do not. */
export const BEGIN = "begin; set local sluice.counts = 'merge'";

/**
 * The result of checking the queue. `unavailable` means that currently every frame may fail. `delayed` means that all
 * frames of the tenant may fail, and were therefore delayed.
 */
export type AttemptResult =
  | { readonly result: 'none' }
  | { readonly result: 'worked' | 'delayed' | 'unavailable'; readonly tenantId: string };

/**
 * Claims a frame of the next tenant (round-robin) and processes it in one transaction. A failed attempt reschedules the
 * frame. Throws if that is impossible: the connection was lost, the queue cannot be read or written, or the commit was
 * rejected. The state of the connection is then unknown.
 */
export async function attemptNextFrame(
  context: FrameContext,
  lastTenantId: string,
  telemetry: WorkerTelemetry,
): Promise<AttemptResult> {
  const { work, slots } = context;
  await work.query(isDistributed(work) ? 'begin' : BEGIN);
  const claim = await slots.claim((fullJobs) => claimFrame(work, lastTenantId, fullJobs));
  if (claim === undefined) {
    await work.query('commit');
    return { result: 'none' };
  }
  try {
    return await attemptFrame(context, claim, telemetry);
  } catch (error) {
    if (!isNodeUnavailable(context, error)) throw error;
    return await delayTenant(context, claim, error, telemetry.log);
  } finally {
    slots.release(claim);
  }
}

async function attemptFrame(
  context: FrameContext,
  claim: ClaimedFrame,
  telemetry: WorkerTelemetry,
): Promise<AttemptResult> {
  const { work, side } = context;
  // A failure rolls back to here, so that the frame stays claimed until it has been released.
  await work.query('savepoint claimed');
  let frame: FrameJob | undefined;
  let watch: FrameWatch | undefined;
  let next: AttemptResult = { result: 'worked', tenantId: claim.tenantId };
  let lostSide: TransactionLost | undefined;
  let ended: Pick<FrameEnd, 'endedJob'> | undefined;
  try {
    const started = await startFrame(side, claim);
    if (started === 'done' || (typeof started === 'object' && started.wasInterrupted))
      await requeueDeliveries(side, claim.tenantId);
    const queuedEnd = started === 'missing' ? await findQueuedEnd(side, claim) : undefined;
    if (queuedEnd === 'manual') await resolveManually(context, claim, telemetry.log.child(idsOf(claim)));
    else if (queuedEnd !== undefined) ended = await attemptEnd(context, claim, queuedEnd, telemetry);
    else if (typeof started === 'string') await settleQueued(work, claim, started, telemetry.log);
    else {
      frame = started;
      if (!(await delayInterrupted(work, frame, telemetry.log))) {
        watch = new FrameWatch(telemetry, frame);
        await setTenant(work, claim.tenantId);
        const end = isHopeless(frame)
          ? await failFrame(context, frame)
          : await processFrame(context, frame, watch);
        await work.query('commit');
        ended = end;
        watch.ended(end);
      }
    }
  } catch (error) {
    watch?.failed(error);
    if (isNodeUnavailable(context, error)) throw error;
    if (error instanceof TransactionLost) lostSide = error;
    await undo(work, error);
    const log = watch?.log ?? telemetry.log.child(idsOf(claim));
    next = { result: await releaseFrame(context, claim, frame, error, log), tenantId: claim.tenantId };
  }
  if (ended === undefined) await work.query('commit');
  else if (ended.endedJob !== undefined || (claim.number + 1) % TOTALS_INTERVAL_FRAMES === 0)
    await tryToFoldTotals(side, claim.tenantId, WHILE_BUSY, telemetry.log);
  // The connections are unusable, so the next frame needs new connections.
  if (lostSide !== undefined) throw lostSide;
  return next;
}

/** Ends a job whose end is claimed, and commits, unless frames of the job are in progress. */
async function attemptEnd(
  context: FrameContext,
  claim: ClaimedFrame,
  end: QueuedEnd,
  { log, report }: WorkerTelemetry,
): Promise<Pick<FrameEnd, 'endedJob'> | undefined> {
  const ids = { requestId: end.requestId, tenantId: claim.tenantId, ingestionId: claim.ingestionId };
  const jobLog = log.child(ids);
  const endedJob = await endJob(context, claim, end, jobLog);
  if (endedJob === undefined) return undefined;
  await context.work.query('commit');
  report({ type: 'job', status: endedJob.status });
  jobLog.info({ ...endedJob }, 'job ended');
  return { endedJob };
}

function isHopeless({ failures, interruptions }: FrameJob): boolean {
  return failures >= MAX_FAILURES || interruptions >= MAX_INTERRUPTIONS;
}

/** Removes a queued frame that is done, and delays or removes one that does not exist. The caller commits. */
async function settleQueued(
  work: Queryable,
  claim: ClaimedFrame,
  state: 'done' | 'missing',
  log: Logger,
): Promise<void> {
  if (state === 'done') {
    await dequeueFrame(work, claim);
    log.info(idsOf(claim), 'a frame that was already processed was removed from the queue');
  } else if (await awaitFrame(work, claim))
    log.info(idsOf(claim), 'a frame was removed from the queue, because its upload was not completed');
}

/**
 * Delays a frame that was interrupted more than once, and returns whether it did. Such a frame, or a frame processed
 * concurrently, may have killed its worker. The delay is random, so that the frames are retried at different times.
 */
async function delayInterrupted(work: Queryable, frame: FrameJob, log: Logger): Promise<boolean> {
  const { interruptions, wasInterrupted } = frame;
  if (isHopeless(frame) || !wasInterrupted || interruptions < 2) return false;
  const pauseMs = Math.round(Math.random() * maxRetryDelay('interruption', interruptions));
  log.warn(
    { ...idsOf(frame), interruptions, pauseMs },
    'a frame was interrupted repeatedly; it will be retried after a delay',
  );
  await rescheduleFrame(work, frame, 'not_counted', pauseMs);
  return true;
}

function isNodeUnavailable({ isSideLost }: FrameContext, error: unknown): boolean {
  if (isSideLost()) return false;
  const fault = classifyDatabaseError(error);
  return (
    fault === 'node_unavailable' || ((fault === 'unavailable' || fault === 'disk_full') && isOfNode(error))
  );
}

/**
 * Ends an attempt whose node is unavailable, and delays all frames of the tenant, because they need the same node.
 * The attempt is counted as an interruption if the frame was started.
 */
async function delayTenant(
  { work, replaceStores }: FrameContext,
  claim: ClaimedFrame,
  error: unknown,
  log: Logger,
): Promise<AttemptResult> {
  log.warn(
    { ...idsOf(claim), err: error },
    'the database node of a tenant is unavailable; its frames will be retried after a delay',
  );
  replaceStores();
  // After the loss of a node, the transaction cannot be committed, even after a rollback to a savepoint.
  await rollback(work, error);
  await delayFrames(work, claim.tenantId, withJitter(UNAVAILABLE_DELAY_MS));
  return { result: 'delayed', tenantId: claim.tenantId };
}

/** Rolls back to the claim. Throws if the transaction has ended because its commit or the connection failed. */
export async function undo(work: Queryable, error: unknown): Promise<void> {
  try {
    await work.query('rollback to savepoint claimed');
  } catch (lost) {
    throw new AggregateError([error, lost], 'a frame failed and could not be released');
  }
}

/**
 * Releases a frame after a failed attempt: determines the cause, counts the attempt accordingly and reschedules the
 * frame. The caller commits.
 */
async function releaseFrame(
  { work, blobs, isSideLost }: FrameContext,
  claim: ClaimedFrame,
  frame: FrameJob | undefined,
  error: unknown,
  log: Logger,
): Promise<'worked' | 'unavailable'> {
  const { failures = 0, interruptions = 0 } = frame ?? {};
  // The attempts at the end of a job are not counted.
  const delayOf = (outcome: keyof typeof UNSTARTED_DELAY_MS, times: number) =>
    withJitter(frame === undefined ? UNSTARTED_DELAY_MS[outcome] : maxRetryDelay(outcome, times));
  const rescheduleInterrupted = async (fileFault?: StoredFileFault) => {
    await rescheduleFrame(work, claim, 'interruption', delayOf('interruption', interruptions + 1), fileFault);
    return 'worked' as const;
  };
  const retryInterrupted = async (message: string) => {
    log.warn({ err: error, interruptions: interruptions + 1 }, message);
    return await rescheduleInterrupted();
  };
  const retryFileFault = async ({ code }: StoredFileError) => {
    // Logged only once, because the frame may wait for hours.
    if (frame?.fileFault !== code)
      log.error(
        { err: error, code },
        'the stored file of a frame cannot be read; the frame will be retried until the file is restored',
      );
    return await rescheduleInterrupted(code);
  };
  const backOff = async (message: string, delayMs: number) => {
    log.warn({ err: error }, message);
    await rescheduleFrame(work, claim, 'not_counted', delayMs);
    return 'unavailable' as const;
  };
  if (error instanceof StoredFileError) return await retryFileFault(error);
  if (isBlobStoreUnavailable(error)) {
    return (await isBlobStoreReadable(blobs))
      ? await retryInterrupted('a frame could not be read from the blob store; it will be retried')
      : await backOff('the blob store is unavailable; the worker backs off', 0);
  }
  if (error instanceof MissedOwnRecords) {
    log.info({ reason: error.message }, 'a frame is merged again');
    await rescheduleFrame(work, claim, 'not_counted', 0);
    return 'worked';
  }
  const fault = classifyDatabaseError(error);
  const isLost = fault === 'connection_lost' || fault === 'node_unavailable';
  // Counts as an interruption, as if the connection that holds the claim had also been lost.
  if (isSideLost() || isLost || error instanceof TransactionLost)
    return await retryInterrupted(
      'a database connection was lost while processing a frame; it will be retried',
    );
  switch (fault) {
    case 'disk_full':
      return await backOff(
        'the database disk is full; the worker backs off',
        withJitter(UNAVAILABLE_DELAY_MS),
      );
    case 'unavailable':
      return await backOff(
        'the database is unavailable; the worker backs off',
        withJitter(UNAVAILABLE_DELAY_MS),
      );
    case 'interrupted':
      return await retryInterrupted('the database interrupted the processing of a frame; it will be retried');
    case undefined:
      log.error({ err: error, failures: failures + 1 }, 'a frame could not be processed');
      await rescheduleFrame(work, claim, 'failure', delayOf('failure', failures + 1));
      return 'worked';
  }
}

/** Whether the marker of the blob store can be read. If it can, an error concerns only a single file. */
export async function isBlobStoreReadable(blobs: BlobStore): Promise<boolean> {
  const [marker] = await Promise.allSettled([blobs.read(BLOB_STORE_MARKER, 0, 1)]);
  return marker.status === 'fulfilled';
}

function idsOf({ tenantId, ingestionId, number }: ClaimedFrame) {
  return { tenantId, ingestionId, frame: number };
}
