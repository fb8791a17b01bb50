import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { BlobStore } from '../blob-store/blob-store.ts';
import { type Database, openConnection } from '../db/connect.ts';
import { lowerBackendPriority } from '../db/lower-backend-priority.ts';
import type { Queryable } from '../db/transaction.ts';
import type { RetentionMetrics } from '../operations/metrics/retention-metrics.ts';
import { collectGarbage } from './collect-garbage.ts';
import type { GarbageCollectionReport } from './report.ts';
import type { RetentionSettings } from './settings.ts';

export interface GarbageCollectorDependencies {
  readonly database: Database;
  /** PostgreSQL runs here and for this service alone. */
  readonly embedded: boolean;
  readonly blobs: BlobStore;
  readonly settings: RetentionSettings;
  readonly log: Logger;
  /** Ends it at once; what is left is found by the next round. */
  readonly signal: AbortSignal;
  readonly metrics: RetentionMetrics;
}

const MINUTE_MS = 60_000;
/** Another process is at it; it may be killed. */
const LOCKED_RETRY_MS = MINUTE_MS;
/** After a round that failed. */
const RETRY_MS = 10 * MINUTE_MS;
/** Of one timer of Node; no round is due later. */
const MAX_WAIT_MS = 24 * 60 * MINUTE_MS;

/**
 * Does a round of housekeeping whenever one is due, until the signal. Any number of processes may do so: when the last
 * round was stands in the database, so that all of them together do one per interval.
 */
export async function runGarbageCollector(dependencies: GarbageCollectorDependencies): Promise<void> {
  const { settings, log, signal, metrics } = dependencies;
  if (settings.intervalMinutes === 0) return;
  while (!signal.aborted) {
    let waitMs: number;
    try {
      waitMs = await collectIfDue(dependencies);
    } catch (error) {
      if (signal.aborted) return;
      metrics.failed();
      log.warn({ err: error }, 'housekeeping failed and is tried again later');
      waitMs = RETRY_MS;
    }
    await sleep(Math.min(waitMs, MAX_WAIT_MS), undefined, { signal }).catch(() => undefined);
  }
}

/** Resolves with the milliseconds until it makes sense to look again. */
async function collectIfDue(dependencies: GarbageCollectorDependencies): Promise<number> {
  const { database, embedded, blobs, settings, log, signal, metrics } = dependencies;
  const client = await openConnection(database, { applicationName: 'sluice worker' });
  // Of a connection that broke; the statement that runs rejects then.
  client.on('error', () => undefined);
  // In the middle of a statement, too: PostgreSQL ends that when its client is gone.
  const disconnect = () => void client.end().catch(() => undefined);
  signal.addEventListener('abort', disconnect);
  try {
    signal.throwIfAborted();
    if (embedded) await lowerBackendPriority(client);
    const intervalMs = settings.intervalMinutes * MINUTE_MS;
    const dueInMs = await msUntilNextCollection(client, intervalMs);
    if (dueInMs > 0) return dueInMs;
    const report = await collectGarbage({ client, blobs, dryRun: false, signal }, settings);
    if (report === undefined) return LOCKED_RETRY_MS;
    metrics.completed(report);
    if (hasCollected(report)) log.info({ collected: report }, 'housekeeping collected what nobody needs');
    return intervalMs;
  } finally {
    signal.removeEventListener('abort', disconnect);
    await Promise.allSettled([client.end()]);
  }
}

/** Not above 0 where it is due. */
async function msUntilNextCollection(client: Queryable, intervalMs: number): Promise<number> {
  const { rows } = await client.query<{ age: number }>(
    `select extract(epoch from clock_timestamp() - garbage_collected_at)::float8 * 1000 as age from blob_store`,
  );
  return intervalMs - (rows[0]?.age ?? 0);
}

function hasCollected({ dry_run: _, ...counts }: GarbageCollectionReport): boolean {
  return Object.values(counts).some(({ count }) => count > 0);
}
