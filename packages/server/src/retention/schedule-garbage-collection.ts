import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { RetentionSettings } from '../config/retention-settings.ts';
import { type Database, lowerBackendPriority, openConnection } from '../db/connect.ts';
import type { Queryable } from '../db/transaction.ts';
import type { RetentionMetrics } from '../observability/metrics/retention-metrics.ts';
import { collectGarbage } from './collect-garbage.ts';
import type { GarbageCollectionReport } from './collection-run.ts';

export interface GarbageCollectorDependencies {
  readonly database: Database;
  /** Whether PostgreSQL runs on this machine and serves only this service. */
  readonly embedded: boolean;
  readonly blobs: BlobStore;
  readonly settings: RetentionSettings;
  readonly log: Logger;
  /** Stops the run immediately. The next run collects the remaining data. */
  readonly signal: AbortSignal;
  readonly metrics: RetentionMetrics;
}

const MINUTE_MS = 60_000;
/** Delay before the next check if another process is collecting. That process may be killed. */
const LOCKED_RETRY_MS = MINUTE_MS;
/** Delay after a failed run. */
const RETRY_MS = 10 * MINUTE_MS;
/** Maximum delay before the next check, because a Node.js timer cannot be set to an arbitrary delay. */
const MAX_WAIT_MS = 24 * 60 * MINUTE_MS;

/**
 * Runs the garbage collection whenever it is due, until the signal fires. Any number of processes can call this: the
 * time of the last run is in the database, so only one process runs it per interval.
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
      log.warn({ err: error }, 'garbage collection failed; it will be retried');
      waitMs = RETRY_MS;
    }
    await sleep(Math.min(waitMs, MAX_WAIT_MS), undefined, { signal }).catch(() => undefined);
  }
}

/** Returns the milliseconds until the next check. */
async function collectIfDue(dependencies: GarbageCollectorDependencies): Promise<number> {
  const { database, embedded, blobs, settings, log, signal, metrics } = dependencies;
  const client = await openConnection(database, { applicationName: 'sluice worker' });
  // Ignores errors of a broken connection, because the current statement rejects.
  client.on('error', () => undefined);
  // Also ends a running statement: PostgreSQL cancels it when its client disconnects.
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
    const { dry_run: _, ...types } = report;
    metrics.completed(types);
    if (hasCollected(report))
      log.info({ collected: report }, 'garbage collection removed expired data and unreferenced blobs');
    return intervalMs;
  } finally {
    signal.removeEventListener('abort', disconnect);
    await Promise.allSettled([client.end()]);
  }
}

/** Returns zero or a negative number if the run is due. */
async function msUntilNextCollection(client: Queryable, intervalMs: number): Promise<number> {
  const { rows } = await client.query<{ age: number }>(
    `select extract(epoch from clock_timestamp() - garbage_collected_at)::float8 * 1000 as age from blob_store`,
  );
  return intervalMs - (rows[0]?.age ?? 0);
}

function hasCollected({ dry_run: _, ...counts }: GarbageCollectionReport): boolean {
  return Object.values(counts).some(({ count }) => count > 0);
}
