import type { FieldReader } from '@sluice/ocsf';
import type { BlobStore } from '../blob-store/blob-store.ts';
import type { Limits } from '../config.ts';
import { type Database, openConnection } from '../db/connect.ts';
import { lowerBackendPriority } from '../db/lower-backend-priority.ts';
import { WAKE_CHANNEL } from '../db/wake-channel.ts';
import { FIRST_TURN, nextFrameIn } from './claim.ts';
import { CREATE_FINDING_CHANGES } from './count-findings.ts';
import { CheckKeeper } from './ensure-checks.ts';
import type { Exclusive } from './exclusive.ts';
import type { WorkerTelemetry } from './frame-watch.ts';
import { GrowingRest } from './growing-rest.ts';
import type { JobSlots } from './job-slots.ts';
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
  /** Of all workers of the thread. */
  readonly fieldReader: Exclusive<FieldReader>;
  readonly slots: JobSlots;
  /** Ends the worker: it finishes its frame and gives its connections back. */
  readonly signal: AbortSignal;
}

const SECOND = 1000;
/** A wake-up can be missed (a connection that broke); then the queue is looked at after this. */
const POLL_MS = 5 * SECOND;
/** A worker that hangs this long inside a transaction loses its frame to another. */
const IDLE_IN_TRANSACTION_MS = 60 * SECOND;

/** Works on frames until the signal; goes on by itself after the database or the blob store was away. */
export async function runWorker(dependencies: WorkerDependencies): Promise<void> {
  const { signal, log } = dependencies;
  // Kept over connections: a server that refuses every claim may still take connections.
  const rests = new GrowingRest(signal);
  while (!signal.aborted) {
    try {
      await workOnConnections(dependencies, rests);
    } catch (error) {
      const restMs = rests.next();
      log.warn(
        { err: error, restMs },
        'the worker lost its connections to the database or cannot use them: it rests and opens new ones',
      );
      await rests.rest(restMs);
    }
  }
}

async function workOnConnections(dependencies: WorkerDependencies, rests: GrowingRest): Promise<void> {
  const { database, embedded, blobs, limits, fieldReader, slots, signal, report } = dependencies;
  const applicationName = 'sluice worker';
  const side = await openConnection(database, { applicationName });
  const wakeUp = new WakeUp(side, signal);
  let lost: Error | undefined;
  let isSideLost = false;
  const onLost = (error: Error) => {
    lost = error;
    wakeUp.ring();
  };
  side.on('error', (error) => {
    isSideLost = true;
    onLost(error);
  });
  const clients = [side];
  try {
    const work = await openConnection(database, {
      applicationName,
      idleInTransactionMs: IDLE_IN_TRANSACTION_MS,
    });
    work.on('error', onLost);
    clients.push(work);
    if (embedded) await Promise.all(clients.map(lowerBackendPriority));
    await work.query(CREATE_INCOMING);
    await work.query(CREATE_FINDING_CHANGES);
    // Counting an attempt need not survive a power cut; what a frame builds on is flushed with its own commit.
    await side.query(`set synchronous_commit to off; listen ${WAKE_CHANNEL}`);
    const checks = new CheckKeeper();
    const context: FrameContext = {
      work,
      side,
      isSideLost: () => isSideLost,
      blobs,
      limits,
      checks,
      fieldReader,
      slots,
    };
    report({ type: 'connected', isConnected: true });
    let turn = FIRST_TURN;
    while (!signal.aborted) {
      if (lost !== undefined) throw lost;
      wakeUp.reset();
      const next = await tryNextFrame(context, turn, dependencies);
      if (next.result !== 'none') turn = next.tenantId;
      if (next.result === 'away') {
        await rests.rest(rests.next());
        continue;
      }
      rests.end();
      if (next.result === 'none') await wakeUp.wait(Math.min(POLL_MS, (await nextFrameIn(side)) ?? POLL_MS));
    }
  } finally {
    report({ type: 'connected', isConnected: false });
    wakeUp.close();
    await Promise.allSettled(clients.map((client) => client.end()));
  }
}
