import { type Queryable, setTenant, TransactionLost } from '../db/transaction.ts';
import { type ClaimedFrame, claimFrame, type FrameJob, rescheduleFrame, startFrame } from './claim.ts';
import { FrameWatch, type WorkerTelemetry } from './frame-watch.ts';
import { type FrameContext, failFrame, processFrame } from './process-frame.ts';
import { releaseFrame } from './release-frame.ts';
import { maxRetryDelay } from './retry-delay.ts';

/** After so many failures in code a frame is given up; its records become errors of the job. */
export const MAX_FAILURES = 6;
/** The same for tries that were cut off, which may be nobody's fault: workers are killed, databases restarted. */
export const MAX_INTERRUPTIONS = 20;

/** What came of a look at the queue. `away`: it may be that nobody can work on any frame at the moment. */
export type Next =
  | { readonly result: 'none' }
  | { readonly result: 'worked' | 'away'; readonly tenantId: string };

/**
 * Claims the next frame of the tenants in turn and does its work in one transaction. A try that comes to nothing gives the
 * frame back for later. Throws where it cannot do even that: the connection is lost, or the queue cannot be read or written,
 * or the commit was refused. What state the connection is in is not known then.
 */
export async function attemptNextFrame(
  context: FrameContext,
  turn: string,
  telemetry: WorkerTelemetry,
): Promise<Next> {
  const { work, slots } = context;
  await work.query('begin');
  const claim = await slots.claim((fullJobs) => claimFrame(work, turn, fullJobs));
  if (claim === undefined) {
    await work.query('commit');
    return { result: 'none' };
  }
  try {
    return await attemptFrame(context, claim, telemetry);
  } finally {
    slots.release(claim);
  }
}

async function attemptFrame(
  context: FrameContext,
  claim: ClaimedFrame,
  telemetry: WorkerTelemetry,
): Promise<Next> {
  const { work, side } = context;
  // What fails is undone to here: the frame stays ours until it has been given back.
  await work.query('savepoint claimed');
  let frame: FrameJob | undefined;
  let watch: FrameWatch | undefined;
  let next: Next = { result: 'worked', tenantId: claim.tenantId };
  let lostSide: TransactionLost | undefined;
  try {
    frame = await startFrame(side, claim);
    const pauseMs = pauseBefore(frame);
    if (pauseMs !== undefined) {
      const { interruptions } = frame;
      telemetry.log.warn({ ...nameOf(frame), interruptions, pauseMs }, 'a frame was cut off again and rests');
      await rescheduleFrame(work, frame, 'nothing', pauseMs);
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
    if (error instanceof TransactionLost) lostSide = error;
    await undo(work, error);
    const log = watch?.log ?? telemetry.log.child(nameOf(claim));
    next = { result: await releaseFrame(context, claim, frame, error, log), tenantId: claim.tenantId };
  }
  await work.query('commit');
  // The next frame needs new connections.
  if (lostSide !== undefined) throw lostSide;
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
  return Math.round(Math.random() * maxRetryDelay('interruption', interruptions));
}

function nameOf({ tenantId, ingestionId, number }: ClaimedFrame) {
  return { tenantId, ingestionId, frame: number };
}
