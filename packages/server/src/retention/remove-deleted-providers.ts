import type { Logger } from 'pino';
import { PROVIDER_REMOVAL_LOCK_CLASS } from '../db/advisory-locks.ts';
import { type Database, lowerBackendPriority, openConnection } from '../db/connect.ts';
import { isDistributed } from '../db/distribution.ts';
import { REMOVALS_CHANNEL, WakeUp } from '../db/notifications.ts';
import { onlyRow } from '../db/only-row.ts';
import { inTransaction, type Queryable } from '../db/transaction.ts';
import { deleteFindings, foldTotals } from '../ingest/merge/finding-totals.ts';
import { withCleanup } from '../lib/errors.ts';

export interface RemovalDependencies {
  readonly database: Database;
  /** Whether PostgreSQL runs on this machine and serves only this service. */
  readonly embedded: boolean;
  readonly log: Logger;
  /** Stops the removal after the current statement. */
  readonly signal: AbortSignal;
}

/** A deleted provider that may still have rows. */
interface Removal {
  readonly tenantId: string;
  readonly providerId: string;
}

interface Horizon {
  /** A frame with this or a later transaction id cannot have seen the provider as live. */
  readonly transactionId: string;
  /** When all transactions with earlier ids had ended. */
  passedAt: number | undefined;
}

const SECOND = 1000;
/** Notifications can be missed, so the queue is also polled. */
const POLL_MS = 30 * SECOND;
/**
 * Delay before retrying a removal that failed, is locked by another process, or waits for a frame to end.
 */
const RETRY_MS = 2 * SECOND;
/**
 * In a distributed database, delay after the transactions of all earlier frames have ended. If the process or the
 * coordinator was killed during a commit, a node may still be committing the rows of a frame.
 */
const COMMIT_MS = 5 * SECOND;
/** Rows deleted per transaction. */
const BATCH_ROWS = 1000;
/** Reads add up the changes that are not part of the totals yet. */
const BATCHES_PER_FOLD = 16;

/**
 * Removes the rows of deleted providers until the signal fires. Several processes can run it concurrently, and another
 * process takes over if one is killed. Reconnects after the database was unavailable.
 */
export async function removeDeletedProviders(dependencies: RemovalDependencies): Promise<void> {
  const { signal, log } = dependencies;
  while (!signal.aborted) {
    try {
      await removeOnConnection(dependencies);
    } catch (error) {
      log.warn(
        { err: error },
        'the removal of deleted providers was interrupted by a database error; it will be retried',
      );
      if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

async function removeOnConnection({ database, embedded, log, signal }: RemovalDependencies): Promise<void> {
  const client = await openConnection(database, { applicationName: 'sluice worker' });
  const wakeUp = new WakeUp(client, signal);
  let lost: Error | undefined;
  client.on('error', (error) => {
    lost = error;
    wakeUp.trigger();
  });
  try {
    if (embedded) await lowerBackendPriority(client);
    // A power failure may undo a removal, which is then repeated.
    await client.query(`set synchronous_commit to off; listen ${REMOVALS_CHANNEL}`);
    const remover = new ProviderRemover(client, signal);
    while (!signal.aborted) {
      wakeUp.reset();
      let hasRemaining = false;
      let failure: unknown;
      for (const removal of await remover.queued()) {
        if (signal.aborted) return;
        try {
          hasRemaining = !(await remover.remove(removal)) || hasRemaining;
        } catch (error) {
          if (lost !== undefined) throw error;
          log.error(
            { err: error, ...removal },
            'the rows of a deleted provider could not be removed; the removal will be retried',
          );
          failure = error;
        }
      }
      if (lost !== undefined) throw lost;
      // Reconnects, because a failed removal may leave a cursor or a lock in the session that would make the next
      // removal fail.
      if (failure !== undefined) throw failure;
      await wakeUp.wait(hasRemaining ? RETRY_MS : POLL_MS);
    }
  } finally {
    wakeUp.close();
    await Promise.allSettled([client.end()]);
  }
}

/** Removes the rows of deleted providers on one connection. */
class ProviderRemover {
  readonly #client: Queryable;
  readonly #signal: AbortSignal;
  /** By provider. */
  readonly #horizons = new Map<string, Horizon>();

  constructor(client: Queryable, signal: AbortSignal) {
    this.#client = client;
    this.#signal = signal;
  }

  /** Returns the queued removals, oldest first. */
  async queued(): Promise<readonly Removal[]> {
    const { rows } = await this.#client.query<Removal>(
      'select tenant_id as "tenantId", provider_id as "providerId" from provider_removals order by requested_at',
    );
    return rows;
  }

  /**
   * Removes the rows of a provider. Returns true once no more rows can appear. Returns false if another process holds
   * the lock, which is released when its connection closes.
   */
  async remove(removal: Removal): Promise<boolean> {
    const lock = [PROVIDER_REMOVAL_LOCK_CLASS, removal.providerId];
    const { rows } = await this.#client.query<{ locked: boolean }>(
      'select pg_try_advisory_lock($1::int, hashtext($2)) as locked',
      lock,
    );
    if (rows[0]?.locked !== true) return false;
    return await withCleanup(
      () => this.#removeRows(removal),
      () => this.#client.query('select pg_advisory_unlock($1::int, hashtext($2))', lock),
    );
  }

  async #removeRows(removal: Removal): Promise<boolean> {
    const horizon = await this.#horizonOf(removal);
    await this.#removeFindings(removal);
    await this.#removeScans(removal);
    await this.#removeResources(removal);
    await this.#removeCoverage(removal);
    await this.#removeProducts(removal);
    const isDone = (await this.#isPast(horizon)) && (await this.#finish(removal));
    if (isDone) this.#horizons.delete(removal.providerId);
    return isDone;
  }

  /**
   * A frame that was claimed before the deletion may still add rows. It has had a transaction id since its claim, so
   * all such frames have ids below the next unassigned id.
   */
  async #horizonOf({ providerId }: Removal): Promise<Horizon> {
    const known = this.#horizons.get(providerId);
    if (known !== undefined) return known;
    const { next } = onlyRow(
      await this.#client.query<{ next: string }>(
        'select pg_snapshot_xmax(pg_current_snapshot())::text as next',
      ),
    );
    const horizon = { transactionId: next, passedAt: undefined };
    this.#horizons.set(providerId, horizon);
    return horizon;
  }

  /** Whether the rows of all frames from before the horizon are visible. */
  async #isPast(horizon: Horizon): Promise<boolean> {
    const { rows } = await this.#client.query<{ ended: boolean }>(
      'select pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 as ended',
      [horizon.transactionId],
    );
    if (rows[0]?.ended !== true) return false;
    horizon.passedAt ??= performance.now();
    return !isDistributed(this.#client) || performance.now() - horizon.passedAt >= COMMIT_MS;
  }

  /** A power failure may undo a removal, which is then repeated. */
  async #change<Result>(tenantId: string, work: () => Promise<Result>): Promise<Result> {
    return await inTransaction(this.#client, tenantId, work, { isAsynchronous: true });
  }

  /** Selects the rows once, through a cursor: a new query after each batch would read the deleted rows again. */
  async #removeFindings({ tenantId, providerId }: Removal): Promise<void> {
    const client = this.#client;
    await this.#change(tenantId, () =>
      client.query(
        'declare removed cursor with hold for select id from findings where tenant_id = $1 and provider_id = $2',
        [tenantId, providerId],
      ),
    );
    const removeAll = async () => {
      while (!this.#signal.aborted) {
        const { rows } = await client.query<{ id: string }>(`fetch ${BATCH_ROWS} from removed`);
        if (rows.length === 0) return;
        const ids = rows.map(({ id }) => id);
        await this.#change(tenantId, () =>
          deleteFindings(client, tenantId, selectRows('findings', 'id = any($3::uuid[])'), [providerId, ids]),
        );
        if (++batches % BATCHES_PER_FOLD === 0) await this.#fold(tenantId);
      }
    };
    let batches = 0;
    await withCleanup(removeAll, () => client.query('close removed'));
    if (batches > 0) await this.#fold(tenantId);
  }

  /** Also removes totals that have become zero. */
  async #fold(tenantId: string): Promise<void> {
    await this.#change(tenantId, () => foldTotals(this.#client, tenantId));
  }

  async #removeResources({ tenantId, providerId }: Removal): Promise<void> {
    let removed: number | null = null;
    while (removed !== 0 && !this.#signal.aborted) {
      const { rowCount } = await this.#change(tenantId, () =>
        this.#client.query(deleteRows('resources', 'true', `limit ${BATCH_ROWS}`), [tenantId, providerId]),
      );
      removed = rowCount;
    }
  }

  async #removeScans({ tenantId, providerId }: Removal): Promise<void> {
    // Idempotency keys are released in the same statement, because only the scans record which uploads contained the
    // provider.
    await this.#change(tenantId, () =>
      this.#client.query(
        `with removed as (${deleteRows('scans', 'true')} returning ingestion_id)
         delete from idempotency_keys where tenant_id = $1 and ingestion_id in (select ingestion_id from removed)`,
        [tenantId, providerId],
      ),
    );
  }

  async #removeCoverage({ tenantId, providerId }: Removal): Promise<void> {
    await this.#change(tenantId, () =>
      this.#client.query('delete from coverages where tenant_id = $1 and provider_id = $2', [
        tenantId,
        providerId,
      ]),
    );
  }

  async #removeProducts({ tenantId, providerId }: Removal): Promise<void> {
    // Other providers have the same products.
    const ids = selectRows('provider_products', 'true');
    await this.#change(tenantId, () =>
      this.#client.query(
        `delete from provider_products where tenant_id = $1 and provider_id = $2 and id in (${ids})`,
        [tenantId, providerId],
      ),
    );
  }

  async #finish({ tenantId, providerId }: Removal): Promise<boolean> {
    const { rowCount } = await this.#change(tenantId, () =>
      this.#client.query(
        `with done as (
           delete from provider_removals where tenant_id = $1 and provider_id = $2
             and not exists (select from findings where tenant_id = $1 and provider_id = $2)
             and not exists (select from scans where tenant_id = $1 and provider_id = $2)
             and not exists (select from resources where tenant_id = $1 and provider_id = $2)
             and not exists (select from coverages where tenant_id = $1 and provider_id = $2)
             and not exists (select from provider_products where tenant_id = $1 and provider_id = $2)
           returning tenant_id, provider_id
         ), counts as (
           delete from finding_counts c using done where c.tenant_id = $1 and c.provider_id = done.provider_id
         )
         select from done`,
        [tenantId, providerId],
      ),
    );
    return rowCount === 1;
  }
}

/** Skips locked rows and leaves them for the next attempt: waiting for them could deadlock. */
const selectRows = (table: string, which: string, limit = '') =>
  `select id from ${table} where tenant_id = $1 and provider_id = $2 and ${which} order by id ${limit} for update skip locked`;

const deleteRows = (table: string, which: string, limit?: string) =>
  `delete from ${table} where tenant_id = $1 and id in (${selectRows(table, which, limit)})`;
