import type { Logger } from 'pino';
import { type Database, lowerBackendPriority, openConnection } from '../db/connect.ts';
import type { Queryable } from '../db/transaction.ts';

export interface VacuumDependencies {
  readonly database: Database;
  /** Whether PostgreSQL runs on this machine and serves only this service. */
  readonly embedded: boolean;
  readonly log: Logger;
  /** Ends a running vacuum as well. */
  readonly signal: AbortSignal;
}

/** How long no frame must have ended. */
const IDLE_MS = 1000;
/** After this time, the table is vacuumed even if frames keep ending. */
const MAX_DELAY_MS = 60_000;
/** Fewer records than this, or than this part of the table, leave almost all pages visible. */
const MIN_RECORDS = 1000;
const MIN_PART = 0.02;

/**
 * Vacuums `findings` after uploads, because reads benefit most from the visibility map and the block range index.
 * Autovacuum would not update them after a repeated scan, which leaves few dead rows.
 */
export class FindingVacuum {
  readonly #dependencies: VacuumDependencies;
  #records = 0;
  #firstAt = 0;
  #lastAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(dependencies: VacuumDependencies) {
    this.#dependencies = dependencies;
  }

  /** Call it when a frame has been merged. */
  add(records: number): void {
    this.#lastAt = performance.now();
    if (this.#records === 0) this.#firstAt = this.#lastAt;
    this.#records += records;
    if (this.#records >= MIN_RECORDS) this.#wait();
  }

  /** Resolves after a running vacuum has ended. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#running;
  }

  #wait(): void {
    if (this.#running !== undefined || this.#dependencies.signal.aborted) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const now = performance.now();
      if (now - this.#lastAt < IDLE_MS && now - this.#firstAt < MAX_DELAY_MS) this.#wait();
      else this.#running = this.#run();
    }, IDLE_MS);
  }

  async #run(): Promise<void> {
    const records = this.#records;
    this.#records = 0;
    const { log, signal } = this.#dependencies;
    try {
      if (!(await vacuumIfWorthwhile(this.#dependencies, records))) this.#records += records;
    } catch (error) {
      if (!signal.aborted)
        log.warn({ err: error }, 'findings could not be vacuumed; they will be vacuumed after later uploads');
    } finally {
      this.#running = undefined;
    }
  }
}

/** Returns whether so many records of the table were written that it was vacuumed. */
async function vacuumIfWorthwhile(
  { database, embedded, log, signal }: VacuumDependencies,
  records: number,
): Promise<boolean> {
  const client = await openConnection(database, { applicationName: 'sluice worker' });
  // Ignores errors of a broken connection, because the current statement rejects.
  client.on('error', () => undefined);
  // Also ends a running statement: PostgreSQL cancels it when its client disconnects.
  const disconnect = () => void client.end().catch(() => undefined);
  signal.addEventListener('abort', disconnect);
  try {
    if (embedded) await lowerBackendPriority(client);
    if (records < (await countApproximately(client)) * MIN_PART) return false;
    const from = performance.now();
    // Only the owner of a table can vacuum it.
    await client.query('set role none');
    await client.query('vacuum (truncate false) findings');
    log.debug({ records, seconds: Math.round(performance.now() - from) / 1000 }, 'findings vacuumed');
    return true;
  } finally {
    signal.removeEventListener('abort', disconnect);
    await Promise.allSettled([client.end()]);
  }
}

async function countApproximately(client: Queryable): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select greatest(reltuples, 0)::float8 as count from pg_class where oid = 'findings'::regclass`,
  );
  return rows[0]?.count ?? 0;
}
