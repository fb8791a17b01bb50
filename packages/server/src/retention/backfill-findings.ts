import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { FINDING_BACKFILL_LOCK_CLASS } from '../db/advisory-locks.ts';
import { type Database, lowerBackendPriority, openConnection } from '../db/connect.ts';
import { findTenantsToBackfill, positionOf } from '../db/finding-backfills.ts';
import { inTransaction, type Queryable, TransactionLost } from '../db/transaction.ts';
import { foldTotals } from '../ingest/merge/finding-totals.ts';
import { withCleanup } from '../lib/errors.ts';

export interface BackfillDependencies {
  readonly database: Database;
  /** Whether PostgreSQL runs on this machine and serves only this service. */
  readonly embedded: boolean;
  readonly log: Logger;
  /** Stops after the current transaction. The next process continues there. */
  readonly signal: AbortSignal;
}

const SECOND = 1000;
/**
 * Delay before the next attempt after a failure, or if another process backfills a tenant. That process may be killed.
 */
const RETRY_MS = 10 * SECOND;
const LOG_INTERVAL_MS = 10 * SECOND;
/** Findings per transaction. A frame that updates one of them waits for the rest of the transaction. */
const BATCH_ROWS = 1000;
const BATCHES_PER_FOLD = 16;
/** The pause after each batch, relative to the duration of the batch. It leaves time for uploads and reads. */
const RELATIVE_PAUSE = 1 / 3;

/**
 * Backfills the findings that were written before the migration that added their keys, and ends when no tenant has such
 * findings. Several processes can run it at the same time: each tenant is backfilled by one of them, and another takes
 * over if it is killed.
 */
export async function backfillFindings(dependencies: BackfillDependencies): Promise<void> {
  const { log, signal } = dependencies;
  while (!signal.aborted) {
    try {
      if (await backfillOnConnection(dependencies)) return;
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ err: error }, 'backfilling the findings of earlier releases failed; it will be retried');
    }
    await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** Returns whether no tenant is left. A tenant whose backfill fails does not prevent those of other tenants. */
async function backfillOnConnection({
  database,
  embedded,
  log,
  signal,
}: BackfillDependencies): Promise<boolean> {
  const client = await openConnection(database, { applicationName: 'sluice worker' });
  let isLost = false;
  client.on('error', () => {
    isLost = true;
  });
  try {
    if (embedded) await lowerBackendPriority(client);
    // A power failure may undo the last transactions, which are then repeated.
    await client.query('set synchronous_commit to off');
    for (const tenantId of await findTenantsToBackfill(client))
      try {
        await backfillIfFree(client, tenantId, log, signal);
      } catch (error) {
        if (isLost || signal.aborted || error instanceof TransactionLost) throw error;
        log.error(
          { err: error, tenantId },
          'the findings of a tenant could not be backfilled; the backfill will be retried',
        );
      }
    return (await findTenantsToBackfill(client)).length === 0;
  } finally {
    await Promise.allSettled([client.end()]);
  }
}

async function backfillIfFree(
  client: Queryable,
  tenantId: string,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  const lock = [FINDING_BACKFILL_LOCK_CLASS, tenantId];
  const { rows } = await client.query<{ locked: boolean }>(
    'select pg_try_advisory_lock($1::int, hashtext($2)) as locked',
    lock,
  );
  if (rows[0]?.locked !== true) return;
  await withCleanup(
    () => backfillTenant(client, tenantId, log, signal),
    () => client.query('select pg_advisory_unlock($1::int, hashtext($2))', lock),
  );
}

async function backfillTenant(
  client: Queryable,
  tenantId: string,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  let backfilled = 0;
  let batches = 0;
  let loggedAt = performance.now();
  while (!signal.aborted) {
    const startedAt = performance.now();
    const last = await beginBatch(client, tenantId);
    if (last === null || ++batches % BATCHES_PER_FOLD === 0)
      await inTransaction(client, tenantId, () => foldTotals(client, tenantId));
    if (last === null) {
      if (backfilled > 0) log.info({ tenantId, backfilled }, 'all findings of the tenant are backfilled');
      return;
    }
    backfilled += await backfillBatch(client, tenantId, last);
    const endedAt = performance.now();
    if (endedAt - loggedAt > LOG_INTERVAL_MS) {
      loggedAt = endedAt;
      log.info({ tenantId, backfilled, percent: Math.floor(positionOf(last) * 100) }, 'backfilling findings');
    }
    await sleep((endedAt - startedAt) * RELATIVE_PAUSE, undefined, { signal }).catch(() => undefined);
  }
}

/** Returns the id of the last finding of the next batch; `null` if the tenant is backfilled. */
async function beginBatch(client: Queryable, tenantId: string): Promise<string | null> {
  const { rows } = await inTransaction(client, tenantId, () =>
    client.query<{ last: string | null }>('select begin_backfill($1, $2) as last', [tenantId, BATCH_ROWS]),
  );
  return rows[0]?.last ?? null;
}

async function backfillBatch(client: Queryable, tenantId: string, last: string): Promise<number> {
  const { rows } = await inTransaction(client, tenantId, () =>
    client.query<{ backfilled: number }>('select backfill_findings($1, $2) as backfilled', [tenantId, last]),
  );
  return rows[0]?.backfilled ?? 0;
}
