import type { ConformanceChecker, FieldScanner } from '@sluice/ocsf';
import pLimit, { type LimitFunction } from 'p-limit';
import type { BlobStore } from '../../blobs/blob-store.ts';
import type { Limits } from '../../config/config.ts';
import { type Database, lowerBackendPriority, openConnection } from '../../db/connect.ts';
import { isDistributed } from '../../db/distribution.ts';
import { FRAMES_CHANNEL, WakeUp } from '../../db/notifications.ts';
import { faultOf } from '../../db/session-client.ts';
import { NIL_UUID } from '../../lib/nil-uuid.ts';
import { CREATE_INCOMING_RESOURCES } from '../merge/incoming-resources.ts';
import { FindingMerge } from '../merge/merge-findings.ts';
import type { SharedStores } from '../merge/reference-stores.ts';
import { attemptNextFrame } from './attempt-frame.ts';
import { Backoff } from './backoff.ts';
import { type ClaimedFrame, msUntilNextFrame } from './claim.ts';
import { IDLE_MS, tryToFoldTotals, WHILE_IDLE } from './fold-totals.ts';
import type { WorkerTelemetry } from './frame-watch.ts';
import type { FrameContext } from './process-frame.ts';
import { rereadNextFrame } from './reread-frame.ts';

export interface WorkerDependencies extends WorkerTelemetry {
  readonly database: Database;
  /** Whether PostgreSQL runs on this machine and serves only this service. */
  readonly embedded: boolean;
  readonly blobs: BlobStore;
  readonly limits: Limits;
  /** Undefined if records are not checked. */
  readonly conformance: ConformanceChecker | undefined;
  /** The base URL for links in events; undefined if it is unknown. */
  readonly publicUrl: string | undefined;
  /** Shared by all workers of the thread. */
  readonly scanner: FieldScanner;
  readonly parseQueue: LimitFunction;
  readonly stores: SharedStores;
  readonly slots: JobSlots;
  /** Stops the worker after its current frame and closes its connections. */
  readonly signal: AbortSignal;
}

const SECOND = 1000;
/** Notifications can be missed when a connection breaks, so the queue is also polled. */
const POLL_MS = 5 * SECOND;
/** A worker that is idle in a transaction for this long loses its frame to another worker. */
const IDLE_IN_TRANSACTION_MS = 60 * SECOND;

/** Processes frames until the signal fires. Reconnects after the database or the blob store was unavailable. */
export async function runWorker(dependencies: WorkerDependencies): Promise<void> {
  const { signal, log } = dependencies;
  // Kept across connections: a server that rejects every claim may still accept connections.
  const backoff = new Backoff(signal);
  while (!signal.aborted) {
    try {
      await workOnConnections(dependencies, backoff);
    } catch (error) {
      dependencies.stores.replace();
      const delayMs = backoff.next();
      log.warn(
        // `restMs` is the old field name, kept until 0.2.
        { err: error, delayMs, restMs: delayMs },
        'the worker lost its database connections or cannot use them; it backs off and reconnects',
      );
      await backoff.wait(delayMs);
    }
  }
}

async function workOnConnections(dependencies: WorkerDependencies, backoff: Backoff): Promise<void> {
  const { database, embedded, blobs, limits, conformance, publicUrl, scanner, parseQueue, stores, slots } =
    dependencies;
  const { signal, report } = dependencies;
  const applicationName = 'sluice worker';
  const side = await openConnection(database, { applicationName });
  const wakeUp = new WakeUp(side, signal);
  let lost: Error | undefined;
  const onLost = (error: Error) => {
    lost = error;
    wakeUp.trigger();
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
    if (embedded) await Promise.all(clients.map(lowerBackendPriority));
    const findings = await FindingMerge.open(work);
    // The attempt count need not survive a power failure. Data that a frame depends on is flushed with its own commit.
    await side.query(`set synchronous_commit to off; listen ${FRAMES_CHANNEL}`);
    if (!isDistributed(side)) await side.query(CREATE_INCOMING_RESOURCES);
    const context: FrameContext = {
      work,
      side,
      isSideLost: () => faultOf(side) !== undefined,
      blobs,
      limits,
      conformance,
      publicUrl,
      get stores() {
        return stores.current;
      },
      replaceStores: () => stores.replace(),
      findings,
      scanner,
      parseQueue,
      slots,
    };
    report({ type: 'connected', isConnected: true });
    let lastTenantId = NIL_UUID;
    const servedTenants = new Set<string>();
    while (!signal.aborted) {
      if (lost !== undefined) throw lost;
      wakeUp.reset();
      const next = await attemptNextFrame(context, lastTenantId, dependencies);
      if (next.result !== 'none') {
        lastTenantId = next.tenantId;
        if (next.result !== 'delayed') servedTenants.add(next.tenantId);
      }
      // Only while the thread has no frames, because uploads are more urgent.
      const shouldReread = next.result === 'none' && findings.hasPreviousLayout && slots.isIdle;
      const reread = shouldReread ? await rereadNextFrame(context, dependencies.log) : 'none';
      if (next.result === 'unavailable' || reread === 'unavailable') {
        await backoff.wait(backoff.next());
        continue;
      }
      backoff.reset();
      if (next.result !== 'none' || reread === 'read') continue;
      const pauseMs = Math.min(POLL_MS, (await msUntilNextFrame(side)) ?? POLL_MS);
      const isWoken = await wakeUp.wait(servedTenants.size > 0 ? Math.min(IDLE_MS, pauseMs) : pauseMs);
      if (isWoken || pauseMs < IDLE_MS) continue;
      for (const tenantId of servedTenants)
        await tryToFoldTotals(side, tenantId, WHILE_IDLE, dependencies.log);
      servedTenants.clear();
    }
  } finally {
    report({ type: 'connected', isConnected: false });
    wakeUp.close();
    await Promise.allSettled(clients.map((client) => client.end()));
  }
}

/** Counts how many frames of each job a worker thread holds, so that no job occupies all slots of the thread. */
export class JobSlots {
  readonly #maxPerJob: number;
  readonly #held = new Map<string, number>();
  /** Serializes claims: each must take the results of previous claims into account. */
  readonly #serialize = pLimit(1);

  constructor(maxPerJob: number) {
    this.#maxPerJob = maxPerJob;
  }

  /** Whether the thread holds no frames. */
  get isIdle(): boolean {
    return this.#held.size === 0;
  }

  /**
   * Claims a frame from a job below its limit; `claimFrame` receives the ids of the jobs at their limit. The slot is
   * held until `release`.
   */
  async claim(
    claimFrame: (fullJobs: readonly string[]) => Promise<ClaimedFrame | undefined>,
  ): Promise<ClaimedFrame | undefined> {
    return await this.#serialize(async () => {
      const full = [...this.#held].filter(([, count]) => count >= this.#maxPerJob).map(([job]) => job);
      const claim = await claimFrame(full);
      if (claim !== undefined) this.#held.set(claim.ingestionId, this.#count(claim) + 1);
      return claim;
    });
  }

  release(claim: ClaimedFrame): void {
    const remaining = this.#count(claim) - 1;
    if (remaining > 0) this.#held.set(claim.ingestionId, remaining);
    else this.#held.delete(claim.ingestionId);
  }

  #count({ ingestionId }: ClaimedFrame): number {
    return this.#held.get(ingestionId) ?? 0;
  }
}
