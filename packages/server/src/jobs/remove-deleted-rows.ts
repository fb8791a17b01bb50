import { inTransaction, type Queryable } from '../db/transaction.ts';
import { withCleanup } from '../db/with-cleanup.ts';

/** A deleted provider that may still have rows. */
export interface Removal {
  readonly tenantId: string;
  readonly providerId: string;
}

/** First key of an advisory lock; the second is the provider. */
const LOCK_CLASS = 751_734_206;
/** One transaction each. */
const BATCH_ROWS = 1000;

/** Rows that somebody holds are left for the next time: waiting for them could end in a deadlock. */
const deleteRows = (table: string, which: string) => `
  delete from ${table} where tenant_id = $1 and id in (
    select id from ${table} where tenant_id = $1 and provider_id = $2 and ${which} order by id for update skip locked)`;

/** Removes the rows of deleted providers on one connection. */
export class ProviderRemover {
  readonly #client: Queryable;
  readonly #signal: AbortSignal;
  /** By provider: frames whose transaction began later cannot have known it as a live one. */
  readonly #knownUntil = new Map<string, string>();

  constructor(client: Queryable, signal: AbortSignal) {
    this.#client = client;
    this.#signal = signal;
  }

  /** The oldest first. */
  async queued(): Promise<readonly Removal[]> {
    const { rows } = await this.#client.query<Removal>(
      'select tenant_id as "tenantId", provider_id as "providerId" from provider_removals order by requested_at',
    );
    return rows;
  }

  /**
   * Removes what there is of a provider; true when it is certain that nothing more will come, or somebody else has
   * found so. A second process at the same provider would do no harm, but no good either: the lock keeps it away, and
   * falls with the connection.
   */
  async remove(removal: Removal): Promise<boolean> {
    const lock = [LOCK_CLASS, removal.providerId];
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
    const knownUntil = await this.#rememberNow(removal);
    await this.#removeFindings(removal);
    await this.#removeScans(removal);
    const isDone = (await this.#haveEnded(knownUntil)) && (await this.#finish(removal));
    if (isDone) this.#knownUntil.delete(removal.providerId);
    return isDone;
  }

  /**
   * A frame that was claimed before the deletion may still bring rows. It has a transaction id since its claim, so all
   * such frames are below the next id that is free now.
   */
  async #rememberNow({ providerId }: Removal): Promise<string> {
    const known = this.#knownUntil.get(providerId);
    if (known !== undefined) return known;
    const { rows } = await this.#client.query<{ next: string }>(
      'select pg_snapshot_xmax(pg_current_snapshot())::text as next',
    );
    const [row] = rows;
    if (row === undefined) throw new Error('PostgreSQL did not tell its next transaction id');
    this.#knownUntil.set(providerId, row.next);
    return row.next;
  }

  async #haveEnded(transactionId: string): Promise<boolean> {
    const { rows } = await this.#client.query<{ ended: boolean }>(
      'select pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 as ended',
      [transactionId],
    );
    return rows[0]?.ended === true;
  }

  /** The rows are looked up once: after each batch anew, all that was removed already would be read again. */
  async #removeFindings({ tenantId, providerId }: Removal): Promise<void> {
    const client = this.#client;
    await inTransaction(client, tenantId, () =>
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
        await inTransaction(client, tenantId, () =>
          client.query(deleteRows('findings', 'id = any($3::uuid[])'), [tenantId, providerId, ids]),
        );
      }
    };
    await withCleanup(removeAll, () => client.query('close removed'));
  }

  async #removeScans({ tenantId, providerId }: Removal): Promise<void> {
    // The scans are the only record of which uploads the provider was in: their keys are released with them.
    await inTransaction(this.#client, tenantId, () =>
      this.#client.query(
        `with removed as (${deleteRows('scans', 'true')} returning ingestion_id)
         delete from idempotency_keys where tenant_id = $1 and ingestion_id in (select ingestion_id from removed)`,
        [tenantId, providerId],
      ),
    );
  }

  async #finish({ tenantId, providerId }: Removal): Promise<boolean> {
    const { rowCount } = await inTransaction(this.#client, tenantId, () =>
      this.#client.query(
        `with done as (
           delete from provider_removals where tenant_id = $1 and provider_id = $2
             and not exists (select from findings where tenant_id = $1 and provider_id = $2)
             and not exists (select from scans where tenant_id = $1 and provider_id = $2)
           returning tenant_id, provider_id
         ), counts as (
           delete from finding_counts c using done where c.tenant_id = done.tenant_id and c.provider_id = done.provider_id
         )
         select from done`,
        [tenantId, providerId],
      ),
    );
    return rowCount === 1;
  }
}
