import { setTimeout as sleep } from 'node:timers/promises';
import { FINDING_FIELDS, FieldReader } from '@sluice/ocsf';
import type { BlobStore } from '../blob-store/blob-store.ts';
import type { Limits } from '../config.ts';
import { type Database, openConnection } from '../db/connect.ts';
import { sendBackendToBackground } from '../db/send-backend-to-background.ts';
import { WAKE_CHANNEL } from '../db/wake-channel.ts';
import { FIRST_TURN, nextFrameIn } from './claim.ts';
import { CREATE_FINDING_CHANGES } from './count-findings.ts';
import { CheckKeeper } from './ensure-checks.ts';
import type { WorkerTelemetry } from './frame-watch.ts';
import { CREATE_INCOMING } from './merge-findings.ts';
import type { FrameContext } from './process-frame.ts';
import { tryNextFrame } from './try-frame.ts';
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
const RECONNECT_MS = SECOND;
/** While the blob store is away or a disk is full the worker rests: at first for this long, then ever longer. */
const FIRST_REST_MS = SECOND;
const LONGEST_REST_MS = 30 * SECOND;

/** Works on frames until the signal; goes on by itself after the database or the blob store was away. */
export async function runWorker(dependencies: WorkerDependencies): Promise<void> {
  const { signal, log } = dependencies;
  while (!signal.aborted) {
    try {
      await workOnConnections(dependencies);
    } catch (error) {
      log.warn({ err: error }, 'the worker lost its connections to the database and opens new ones');
      await rest(RECONNECT_MS, signal);
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
    let restMs = FIRST_REST_MS;
    while (!signal.aborted) {
      if (lost !== undefined) throw lost;
      wakeUp.reset();
      const next = await tryNextFrame(context, turn, dependencies);
      if (next.result === 'away') {
        await rest(restMs, signal);
        restMs = Math.min(2 * restMs, LONGEST_REST_MS);
        continue;
      }
      restMs = FIRST_REST_MS;
      if (next.result === 'worked') turn = next.tenantId;
      else await wakeUp.wait(Math.min(POLL_MS, (await nextFrameIn(side)) ?? POLL_MS));
    }
  } finally {
    report({ type: 'connected', isConnected: false });
    wakeUp.close();
    await Promise.allSettled(clients.map((client) => client.end()));
  }
}

/** Not even an upload wakes it: it could not be worked on. */
async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
