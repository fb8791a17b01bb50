import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import { type Database, lowerBackendPriority } from '../db/connect.ts';
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
/** Backoff between attempts, which doubles each time. */
const MIN_RETRY_MS = 1000;
const MAX_RETRY_MS = 300_000;
/** The part of the pages that must be visible to all transactions after a vacuum. */
const VISIBLE_PART = 0.9;
/** Fewer records than this, or than this part of the table, are not worth the cost of a vacuum. */
const MIN_RECORDS = 1000;
const MIN_PART = 0.02;
/** A vacuum measures the number of rows per page, which PostgreSQL then expects of all pages to come. */
const MIN_REFERENCED_BYTES = 100_000;

/**
 * Vacuums `findings` after uploads by this process, because index-only scans need the visibility map. Autovacuum would not
 * update it after a repeated scan, which leaves few dead rows.
 * Also vacuums the tables that each finding refers to: as long as PostgreSQL expects few rows in them, it reads all rows
 * of a tenant to find one by its key.
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
    const { signal } = this.#dependencies;
    let retryMs = MIN_RETRY_MS;
    try {
      while (this.#records >= this.#minRecords) {
        await this.#idle();
        if (await this.#attempt()) continue;
        await sleep(retryMs, undefined, { signal });
        retryMs = Math.min(2 * retryMs, MAX_RETRY_MS);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** Returns false if another attempt is needed after a pause. */
  async #attempt(): Promise<boolean> {
    const { database, log, signal } = this.#dependencies;
    try {
      return await asOwner(database.url, 'sluice worker', (client) => this.#vacuumIfNeeded(client));
    } catch (error) {
      signal.throwIfAborted();
      log.warn({ err: error }, 'findings could not be vacuumed; another attempt will follow');
      return false;
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

  /** Returns false if a transaction that began earlier is still open, so that too few pages are visible to all. */
  async #vacuumIfNeeded(client: pg.Client): Promise<boolean> {
    const { embedded, log, signal } = this.#dependencies;
    // Also ends a running statement: PostgreSQL cancels it when its client disconnects.
    const disconnect = () => void client.end().catch(() => undefined);
    signal.addEventListener('abort', disconnect);
    try {
      signal.throwIfAborted();
      if (embedded) await lowerBackendPriority(client);
      const records = this.#records;
      this.#minRecords = Math.max(MIN_RECORDS, (await sizeOf(client)).rows * MIN_PART);
      if (records < this.#minRecords) return true;
      if (!(await ownsFindings(client))) {
        this.#minRecords = Number.POSITIVE_INFINITY;
        log.warn('findings are not vacuumed after uploads: the role of DATABASE_URL does not own the table');
        return true;
      }
      const from = performance.now();
      await client.query(
        `vacuum (truncate false) ${['findings', ...(await referencedTables(client))].join(', ')}`,
      );
      const seconds = Math.round(performance.now() - from) / 1000;
      const { pages, visiblePages } = await sizeOf(client);
      log.debug({ records, seconds, pages, visiblePages }, 'findings vacuumed');
      if (visiblePages >= pages * VISIBLE_PART) {
        this.#records -= records;
        return true;
      }
      // Frames that finished during the vacuum may also be the reason.
      return this.#records > records;
    } finally {
      signal.removeEventListener('abort', disconnect);
    }
  }
}

/** The approximate size of the table according to the latest vacuum or analyze. */
async function sizeOf(client: pg.Client) {
  const { rows } = await client.query<{ rows: number; pages: number; visiblePages: number }>(
    `select greatest(reltuples, 0)::float8 as rows, relpages as pages, relallvisible as "visiblePages"
     from pg_class where oid = 'findings'::regclass`,
  );
  return rows[0] ?? { rows: 0, pages: 0, visiblePages: 0 };
}

/**
 * The tables that findings refer to, except those with only a few pages: if their only page is almost empty, PostgreSQL
 * would expect almost empty pages until the next vacuum.
 */
async function referencedTables(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where oid in ('resources'::regclass, 'finding_facets'::regclass) and pg_relation_size(oid) >= $1`,
    [MIN_REFERENCED_BYTES],
  );
  return rows.map(({ name }) => name);
}

/** PostgreSQL only warns if the role may not vacuum a table. */
async function ownsFindings(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ owns: boolean }>(
    `select pg_has_role(relowner, 'usage') as owns from pg_class where oid = 'findings'::regclass`,
  );
  return rows[0]?.owns === true;
}
