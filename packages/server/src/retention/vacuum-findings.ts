import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import { type Database, lowerBackendPriority } from '../db/connect.ts';
import { INSUFFICIENT_PRIVILEGE } from '../db/database-errors.ts';
import { asOwner } from '../db/owner-session.ts';

export interface VacuumDependencies {
  readonly database: Database;
  /** Whether PostgreSQL runs on this machine and serves only this service. */
  readonly embedded: boolean;
  readonly log: Logger;
  /** Also ends a running vacuum. */
  readonly signal: AbortSignal;
}

/** Time without a finished frame before the table is vacuumed. */
const IDLE_MS = 1000;
/** Maximum delay if frames keep finishing. */
const MAX_DELAY_MS = 60_000;
/** Fewer records than this, or than this part of the table, are not worth the cost of a vacuum. */
const MIN_RECORDS = 1000;
const MIN_PART = 0.02;

/**
 * Vacuums `findings` after uploads by this process, because index-only scans need the visibility map, and time-sorted pages
 * need the block range index. Autovacuum would not update them after a repeated scan, which leaves few dead rows.
 */
export class FindingVacuum {
  readonly #dependencies: VacuumDependencies;
  /** Records since the latest vacuum. */
  #records = 0;
  #minRecords = MIN_RECORDS;
  #lastAt = 0;
  #running: Promise<void> | undefined;

  constructor(dependencies: VacuumDependencies) {
    this.#dependencies = dependencies;
  }

  /** Counts the records of a finished frame. */
  add(records: number): void {
    this.#records += records;
    this.#lastAt = performance.now();
    if (this.#records < this.#minRecords || this.#dependencies.signal.aborted) return;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** Resolves when a running vacuum has ended. */
  async stopped(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    const { database, log, signal } = this.#dependencies;
    try {
      while (this.#records >= this.#minRecords) {
        await this.#idle();
        await asOwner(database.url, 'sluice worker', (client) => this.#vacuumIfNeeded(client));
      }
    } catch (error) {
      if (!signal.aborted)
        log.warn({ err: error }, 'findings could not be vacuumed; a later upload will start another attempt');
    }
  }

  /** Waits until no frame has finished for a while. Throws an AbortError when the process stops. */
  async #idle(): Promise<void> {
    const end = performance.now() + MAX_DELAY_MS;
    let now: number;
    do {
      await sleep(IDLE_MS, undefined, { signal: this.#dependencies.signal });
      now = performance.now();
    } while (now - this.#lastAt < IDLE_MS && now < end);
  }

  async #vacuumIfNeeded(client: pg.Client): Promise<void> {
    const { embedded, log, signal } = this.#dependencies;
    // Also ends a running statement: PostgreSQL cancels it when its client disconnects.
    const disconnect = () => void client.end().catch(() => undefined);
    signal.addEventListener('abort', disconnect);
    try {
      signal.throwIfAborted();
      if (embedded) await lowerBackendPriority(client);
      const records = this.#records;
      this.#minRecords = Math.max(MIN_RECORDS, (await countApproximately(client)) * MIN_PART);
      if (records < this.#minRecords) return;
      // PostgreSQL only warns if the role does not own the table.
      client.on('notice', ({ code }) => {
        if (code !== INSUFFICIENT_PRIVILEGE) return;
        this.#minRecords = Number.POSITIVE_INFINITY;
        log.warn('findings are not vacuumed after uploads: the role of DATABASE_URL does not own the table');
      });
      const from = performance.now();
      await client.query('vacuum (truncate false) findings');
      this.#records -= records;
      log.debug({ records, seconds: Math.round(performance.now() - from) / 1000 }, 'findings vacuumed');
    } finally {
      signal.removeEventListener('abort', disconnect);
    }
  }
}

async function countApproximately(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select greatest(reltuples, 0)::float8 as count from pg_class where oid = 'findings'::regclass`,
  );
  return rows[0]?.count ?? 0;
}
