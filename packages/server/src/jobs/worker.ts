import { FINDING_FIELDS, FieldReader } from '@sluice/ocsf';
import type pg from 'pg';
import type { BlobStore } from '../blob-store/blob-store.ts';
import type { Limits } from '../config.ts';
import { type Database, openConnection } from '../db/connect.ts';
import { setTenant } from '../db/transaction.ts';
import { WAKE_CHANNEL } from '../db/wake-channel.ts';
import { sendToBackground } from '../thread-priority.ts';
import { beginFrame, type ClaimedFrame, claimFrame, delayFrame, FIRST_TURN, nextFrameIn } from './claim.ts';
import { CREATE_FINDING_CHANGES } from './count-findings.ts';
import { CheckKeeper } from './ensure-checks.ts';
import { type FrameEnd, FrameWatch, type WorkerTelemetry } from './frame-watch.ts';
import { CREATE_INCOMING } from './merge-findings.ts';
import { type FrameContext, failFrame, processFrame } from './process-frame.ts';
import { WakeUp } from './wake-up.ts';

export interface WorkerDependencies extends WorkerTelemetry {
  readonly database: Database;
  /** PostgreSQL runs here and for this service alone. */
  readonly embedded: boolean;
  readonly blobs: BlobStore;
  readonly limits: Limits;
  /** Ends the worker: it finishes its frame and gives its connections back. */
  readonly signal: AbortSignal;
}

const SECOND = 1000;
/** A wake-up can be missed (a connection that broke); then the queue is looked at after this. */
const POLL_MS = 5 * SECOND;
/** A worker that hangs this long inside a transaction loses its frame to another. */
const IDLE_IN_TRANSACTION_MS = 60 * SECOND;
/** Tries of one frame, those counted in which the worker died. */
const MAX_ATTEMPTS = 6;
/** The pause after the first failure; it doubles with each further one. */
const FIRST_RETRY_MS = 200;
const RECONNECT_MS = SECOND;

/** Works on frames until the signal; goes on by itself after the database was away. */
export async function runWorker(dependencies: WorkerDependencies): Promise<void> {
  const { signal, log } = dependencies;
  while (!signal.aborted) {
    try {
      await workOnConnections(dependencies);
    } catch (error) {
      log.warn({ err: error }, 'the worker lost its database connection and tries again');
      if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
    }
  }
}

async function workOnConnections(dependencies: WorkerDependencies): Promise<void> {
  const { database, embedded, blobs, limits, signal, report } = dependencies;
  const applicationName = 'sluice worker';
  const side = await openConnection(database, { applicationName });
  const wakeUp = new WakeUp(side, signal);
  let lost: Error | undefined;
  const onLost = (error: Error) => {
    lost = error;
    wakeUp.ring();
  };
  side.on('error', onLost);
  const clients = [side];
  try {
    const work = await openConnection(database, {
      applicationName,
      idleInTransactionMs: IDLE_IN_TRANSACTION_MS,
    });
    work.on('error', onLost);
    clients.push(work);
    if (embedded) await Promise.all(clients.map(sendBackendToBackground));
    await work.query(CREATE_INCOMING);
    await work.query(CREATE_FINDING_CHANGES);
    // Counting an attempt need not survive a power cut; what a frame builds on is flushed with its own commit.
    await side.query(`set synchronous_commit to off; listen ${WAKE_CHANNEL}`);
    const checks = new CheckKeeper();
    const fieldReader = new FieldReader(FINDING_FIELDS);
    const context: FrameContext = { work, side, blobs, limits, checks, fieldReader };
    report({ type: 'connected', isConnected: true });
    let turn = FIRST_TURN;
    while (!signal.aborted) {
      if (lost !== undefined) throw lost;
      wakeUp.reset();
      const claim = await workOnNextFrame(context, turn, dependencies);
      if (claim === undefined) await wakeUp.wait(Math.min(POLL_MS, (await nextFrameIn(side)) ?? POLL_MS));
      else turn = claim.tenantId;
    }
  } finally {
    report({ type: 'connected', isConnected: false });
    wakeUp.close();
    await Promise.allSettled(clients.map((client) => client.end()));
  }
}

/** What answers a request should not wait for what works on a frame, in the database neither. */
async function sendBackendToBackground(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  for (const { pid } of rows) sendToBackground(pid);
}

/** Claims a frame and does its work in one transaction; throws only where the connection is lost. */
async function workOnNextFrame(
  context: FrameContext,
  turn: string,
  telemetry: WorkerTelemetry,
): Promise<ClaimedFrame | undefined> {
  const { work, side } = context;
  let claim: ClaimedFrame | undefined;
  let attempts = 0;
  let watch: FrameWatch | undefined;
  let end: FrameEnd | undefined;
  await work.query('begin');
  try {
    claim = await claimFrame(work, turn);
    if (claim !== undefined) {
      const frame = await beginFrame(side, claim);
      attempts = frame.attempts;
      watch = new FrameWatch(telemetry, frame);
      await setTenant(work, claim.tenantId);
      if (attempts > MAX_ATTEMPTS) end = await failFrame(context, frame, attempts - 1);
      else end = await processFrame(context, frame, watch);
    }
    await work.query('commit');
    if (end !== undefined) watch?.ended(end);
  } catch (error) {
    watch?.failed(error);
    await work.query('rollback');
    if (claim === undefined) throw error;
    const { ingestionId, tenantId, number: frame } = claim;
    const log = watch?.log ?? telemetry.log.child({ tenantId, ingestionId, frame });
    log.error({ err: error, attempts }, 'a frame could not be processed');
    await delayFrame(side, claim, FIRST_RETRY_MS * 2 ** Math.max(0, attempts - 1));
  }
  return claim;
}
