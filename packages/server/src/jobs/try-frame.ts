import type { Logger } from 'pino';
import { BLOB_STORE_MARK } from '../blob-store/blob-store.ts';
import { isBlobStoreAway } from '../blob-store/blob-store-away.ts';
import { setTenant } from '../db/transaction.ts';
import { beginFrame, type ClaimedFrame, claimFrame, type FrameJob, putOff, type Tried } from './claim.ts';
import { type FrameContext, failFrame, processFrame } from './process-frame.ts';

/** After so many failures in code a frame is given up; its records become errors of the job. */
const MAX_FAILURES = 6;
/** The pause after the first failure; it doubles with each further one. */
const FIRST_RETRY_MS = 200;
/** The same for tries that were cut off, which may be nobody's fault: workers are killed, databases restarted. */
const MAX_INTERRUPTIONS = 20;
/** The longest pause before the third try; it doubles with each further one, up to ten minutes. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 600_000;
/** `disk_full` (PostgreSQL, appendix A). */
const DATABASE_FULL = '53100';

/** What came of a look at the queue. `away`: nobody can work on any frame at the moment. */
export type Next =
  | { readonly result: 'none' | 'away' }
  | { readonly result: 'worked'; readonly tenantId: string };

/**
 * Claims the next frame of the tenants in turn and does its work in one transaction. A try that comes to nothing gives the
 * frame back for later; throws only where the connection is lost.
 */
export async function tryNextFrame(context: FrameContext, turn: string, log: Logger): Promise<Next> {
  const { work, side } = context;
  await work.query('begin');
  const claim = await claimFrame(work, turn);
  if (claim === undefined) {
    await work.query('commit');
    return { result: 'none' };
  }
  // What fails is undone to here: the frame stays ours until it has been given back.
  await work.query('savepoint claimed');
  let frame: FrameJob | undefined;
  let next: Next = { result: 'worked', tenantId: claim.tenantId };
  try {
    frame = await beginFrame(side, claim);
    await setTenant(work, claim.tenantId);
    await workOn(context, frame, log);
  } catch (error) {
    await work.query('rollback to savepoint claimed');
    next = await giveBack(context, claim, frame, error, log);
  }
  await work.query('commit');
  return next;
}

async function workOn(context: FrameContext, frame: FrameJob, log: Logger): Promise<void> {
  const { failures, interruptions, wasInterrupted } = frame;
  if (failures >= MAX_FAILURES || interruptions >= MAX_INTERRUPTIONS) {
    await failFrame(context, frame);
  } else if (wasInterrupted && interruptions > 1) {
    // The worker may have died of this frame, or beside one that it died of: they are tried again at different times.
    const pauseMs = Math.round(Math.random() * longestPause(interruptions));
    log.warn({ ...nameOf(frame), interruptions, pauseMs }, 'a frame was cut off again and rests');
    await putOff(context.work, frame, 'nothing', pauseMs);
  } else {
    await processFrame(context, frame);
  }
}

/** Decides whose fault it was, counts it and lets the frame wait. */
async function giveBack(
  { work, blobs }: FrameContext,
  claim: ClaimedFrame,
  frame: FrameJob | undefined,
  error: unknown,
  log: Logger,
): Promise<Next> {
  const { failures = 0, interruptions = 0 } = frame ?? {};
  const back = (tried: Tried, delayMs: number) => putOff(work, claim, tried, delayMs);
  const worked = { result: 'worked', tenantId: claim.tenantId } as const;

  if (error instanceof Error && 'code' in error && error.code === DATABASE_FULL) {
    log.warn({ err: error }, 'the disk of the database is full: the worker waits');
    await back('nothing', 0);
    return { result: 'away' };
  }
  if (!isBlobStoreAway(error)) {
    log.error({ err: error, ...nameOf(claim), failures: failures + 1 }, 'a frame could not be processed');
    await back('failure', FIRST_RETRY_MS * 2 ** failures);
    return worked;
  }
  const [mark] = await Promise.allSettled([blobs.read(BLOB_STORE_MARK, 0, 1)]);
  if (mark.status === 'fulfilled') {
    log.warn(
      { err: error, ...nameOf(claim) },
      'the blob store does not give a frame: it is tried again later',
    );
    await back('interruption', longestPause(interruptions + 1));
    return worked;
  }
  log.warn({ err: error }, 'the blob store is away: the worker waits');
  await back('nothing', 0);
  return { result: 'away' };
}

function longestPause(interruptions: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.max(0, interruptions - 2));
}

function nameOf({ tenantId, ingestionId, number }: ClaimedFrame) {
  return { tenantId, ingestionId, frame: number };
}
