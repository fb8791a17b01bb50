import type { Logger } from 'pino';
import { BLOB_STORE_MARK } from '../blob-store/blob-store.ts';
import { isBlobStoreAway } from '../blob-store/blob-store-away.ts';
import { type Queryable, setTenant } from '../db/transaction.ts';
import { codeOf } from '../error-code.ts';
import { beginFrame, type ClaimedFrame, claimFrame, type FrameJob, putOff } from './claim.ts';
import { FrameWatch, type WorkerTelemetry } from './frame-watch.ts';
import { type FrameContext, failFrame, processFrame } from './process-frame.ts';

/** After so many failures in code a frame is given up; its records become errors of the job. */
export const MAX_FAILURES = 6;
/** The pause after the first failure; it doubles with each further one. */
const FIRST_RETRY_MS = 200;
/** The same for tries that were cut off, which may be nobody's fault: workers are killed, databases restarted. */
export const MAX_INTERRUPTIONS = 20;
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
export async function tryNextFrame(
  context: FrameContext,
  turn: string,
  telemetry: WorkerTelemetry,
): Promise<Next> {
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
  let watch: FrameWatch | undefined;
  let next: Next = { result: 'worked', tenantId: claim.tenantId };
  try {
    frame = await beginFrame(side, claim);
    const pauseMs = pauseBefore(frame);
    if (pauseMs !== undefined) {
      const { interruptions } = frame;
      telemetry.log.warn({ ...nameOf(frame), interruptions, pauseMs }, 'a frame was cut off again and rests');
      await putOff(work, frame, 'nothing', pauseMs);
    } else {
      watch = new FrameWatch(telemetry, frame);
      await setTenant(work, claim.tenantId);
      const end = isHopeless(frame)
        ? await failFrame(context, frame)
        : await processFrame(context, frame, watch);
      await work.query('commit');
      watch.ended(end);
      return next;
    }
  } catch (error) {
    watch?.failed(error);
    await undo(work, error);
    next = await giveBack(context, claim, frame, error, watch?.log ?? telemetry.log.child(nameOf(claim)));
  }
  await work.query('commit');
  return next;
}

/** Back to the claim. Throws where there is no transaction any more, because its commit or the connection failed. */
async function undo(work: Queryable, error: unknown): Promise<void> {
  try {
    await work.query('rollback to savepoint claimed');
  } catch (lost) {
    throw new AggregateError([error, lost], 'a frame failed and so did giving it back');
  }
}

function isHopeless({ failures, interruptions }: FrameJob): boolean {
  return failures >= MAX_FAILURES || interruptions >= MAX_INTERRUPTIONS;
}

/**
 * How long a frame rests before it is tried: not at all, but for one that was cut off more than once. Its worker may have
 * died of it, or beside one that it died of; at random they are tried again at different times.
 */
function pauseBefore(frame: FrameJob): number | undefined {
  const { interruptions, wasInterrupted } = frame;
  if (isHopeless(frame) || !wasInterrupted || interruptions < 2) return undefined;
  return Math.round(Math.random() * longestPause(interruptions));
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
  const worked = { result: 'worked', tenantId: claim.tenantId } as const;
  if (codeOf(error) === DATABASE_FULL) {
    log.warn({ err: error }, 'the disk of the database is full: the worker waits');
    await putOff(work, claim, 'nothing', 0);
    return { result: 'away' };
  }
  if (!isBlobStoreAway(error)) {
    log.error({ err: error, failures: failures + 1 }, 'a frame could not be processed');
    await putOff(work, claim, 'failure', FIRST_RETRY_MS * 2 ** failures);
    return worked;
  }
  const [mark] = await Promise.allSettled([blobs.read(BLOB_STORE_MARK, 0, 1)]);
  if (mark.status === 'fulfilled') {
    log.warn({ err: error }, 'the blob store does not give a frame: it is tried again later');
    await putOff(work, claim, 'interruption', longestPause(interruptions + 1));
    return worked;
  }
  log.warn({ err: error }, 'the blob store is away: the worker waits');
  await putOff(work, claim, 'nothing', 0);
  return { result: 'away' };
}

function longestPause(interruptions: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.max(0, interruptions - 2));
}

function nameOf({ tenantId, ingestionId, number }: ClaimedFrame) {
  return { tenantId, ingestionId, frame: number };
}
