import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { FINDING_FILL_LOCK_CLASS } from '../db/advisory-locks.ts';
import { type Database, lowerBackendPriority, openConnection } from '../db/connect.ts';
import { findUnfilledTenants, positionOf } from '../db/finding-backfills.ts';
import { inTransaction, type Queryable, TransactionLost } from '../db/transaction.ts';
import { foldTotals } from '../ingest/merge/finding-totals.ts';
import { withCleanup } from '../lib/errors.ts';

export interface FillDependencies {
  readonly database: Database;
  /** Whether PostgreSQL runs on this machine and serves only this service. */
  readonly embedded: boolean;
  readonly log: Logger;
  /** Stops after the current transaction. The next process continues there. */
  readonly signal: AbortSignal;
}

const SECOND = 1000;
/** Delay before the next attempt after a failure, or if another process fills a tenant. That process may be killed. */
const RETRY_MS = 10 * SECOND;
const LOG_INTERVAL_MS = 10 * SECOND;
/** Findings per transaction. A frame that updates one of them waits for the rest of the transaction. */
const BATCH_ROWS = 2000;
const BATCHES_PER_FOLD = 8;

/**
 * Fills the findings that were written before the migration that added their keys, and ends when no tenant has such
 * findings. Several processes can run it at the same time: each tenant is filled by one of them, and another takes over
 * if it is killed.
 */
export async function fillFindings(dependencies: FillDependencies): Promise<void> {
  const { log, signal } = dependencies;
  while (!signal.aborted) {
    try {
      if (await fillOnConnection(dependencies)) return;
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ err: error }, 'filling the findings of earlier releases failed; it will be retried');
    }
    await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** Returns whether no tenant is left. A tenant whose fill fails does not prevent those of other tenants. */
async function fillOnConnection({ database, embedded, log, signal }: FillDependencies): Promise<boolean> {
  const client = await openConnection(database, { applicationName: 'sluice worker' });
  let isLost = false;
  client.on('error', () => {
    isLost = true;
  });
  try {
    if (embedded) await lowerBackendPriority(client);
    // A power failure may undo the last transactions, which are then repeated.
    await client.query('set synchronous_commit to off');
    for (const tenantId of await findUnfilledTenants(client))
      try {
        await fillIfFree(client, tenantId, log, signal);
      } catch (error) {
        if (isLost || signal.aborted || error instanceof TransactionLost) throw error;
        log.error(
          { err: error, tenantId },
          'the findings of a tenant could not be filled; the fill will be retried',
        );
      }
    return (await findUnfilledTenants(client)).length === 0;
  } finally {
    await Promise.allSettled([client.end()]);
  }
}

async function fillIfFree(
  client: Queryable,
  tenantId: string,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  const lock = [FINDING_FILL_LOCK_CLASS, tenantId];
  const { rows } = await client.query<{ locked: boolean }>(
    'select pg_try_advisory_lock($1::int, hashtext($2)) as locked',
    lock,
  );
  if (rows[0]?.locked !== true) return;
  await withCleanup(
    () => fillTenant(client, tenantId, log, signal),
    () => client.query('select pg_advisory_unlock($1::int, hashtext($2))', lock),
  );
}

async function fillTenant(
  client: Queryable,
  tenantId: string,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  let filled = 0;
  let batches = 0;
  let loggedAt = performance.now();
  while (!signal.aborted) {
    const startedAt = performance.now();
    const last = await beginBatch(client, tenantId);
    if (last === null || ++batches % BATCHES_PER_FOLD === 0)
      await inTransaction(client, tenantId, () => foldTotals(client, tenantId));
    if (last === null) {
      if (filled > 0) log.info({ tenantId, filled }, 'all findings of the tenant are filled');
      return;
    }
    filled += await fillBatch(client, tenantId, last);
    const endedAt = performance.now();
    if (endedAt - loggedAt > LOG_INTERVAL_MS) {
      loggedAt = endedAt;
      log.info({ tenantId, filled, percent: Math.floor(positionOf(last) * 100) }, 'filling findings');
    }
    // Leaves half of the time to uploads and reads.
    await sleep(endedAt - startedAt, undefined, { signal }).catch(() => undefined);
  }
}

/** Returns the id of the last finding of the next batch; `null` if the tenant is filled. */
async function beginBatch(client: Queryable, tenantId: string): Promise<string | null> {
  const { rows } = await inTransaction(client, tenantId, () =>
    client.query<{ last: string | null }>('select begin_fill($1, $2) as last', [tenantId, BATCH_ROWS]),
  );
  return rows[0]?.last ?? null;
}

async function fillBatch(client: Queryable, tenantId: string, last: string): Promise<number> {
  const { rows } = await inTransaction(client, tenantId, () =>
    client.query<{ filled: number }>('select fill_findings($1, $2) as filled', [tenantId, last]),
  );
  return rows[0]?.filled ?? 0;
}
