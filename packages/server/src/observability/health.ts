import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import type { Logger } from 'pino';
import { BLOB_STORE_MARKER, type BlobStore } from '../blobs/blob-store.ts';
import { type Database, probeDatabase } from '../db/connect.ts';
import { UNDEFINED_TABLE } from '../db/database-errors.ts';
import { migrationNames } from '../db/schema-state.ts';

/** Why the process is not ready: one sentence for clients, without secrets. The cause is for the log. */
export class NotReady extends Error {}

/** Rejects with a NotReady if the check fails. */
export type HealthCheck = () => Promise<void>;

/** Time limit of each check in milliseconds. Most probes give up after two seconds or more. */
const TIMEOUT_MS = 1700;
/** Failures are cached briefly, so that readiness recovers quickly. */
const FAILURE_CACHE_MS = 500;

/** Cached, because probes are not authenticated and each check opens a connection. */
const DATABASE_CACHE_MS = 500;

/** Cached, because several probes may call the check frequently, and not every call should cause a request to S3. */
const BLOBS_CACHE_MS = 5000;

const SHUTTING_DOWN = 'the server is shutting down';

/** Whether this process can serve its role. */
export class Health {
  readonly #log: Logger;
  readonly #checks = new Map<string, HealthCheck>();
  /**
   * The last logged reason of each failing check. Prevents repeated log lines: probes are frequent, and an outage may
   * be long.
   */
  readonly #logged = new Map<string, string>();
  /** Overrides the checks during startup and shutdown. */
  #transition: string | undefined = 'the server is starting';

  constructor(log: Logger) {
    this.#log = log;
  }

  add(name: string, check: HealthCheck): void {
    this.#checks.set(name, check);
  }

  /** Ends startup. From now on, the checks determine readiness. */
  started(): void {
    this.#transition = undefined;
  }

  /** Marks the process as shutting down. From now on, it is not ready. */
  stop(): void {
    this.#transition = SHUTTING_DOWN;
  }

  /** Whether the process is shutting down. */
  get isStopping(): boolean {
    return this.#transition === SHUTTING_DOWN;
  }

  /** The reasons by check name; empty if the process is ready. */
  async reasons(): Promise<Readonly<Record<string, string>>> {
    if (this.#transition !== undefined) return { process: this.#transition };
    const pending = [...this.#checks].map(
      async ([name, check]) => [name, await this.#reason(name, check)] as const,
    );
    const results = await Promise.all(pending);
    return Object.fromEntries(
      results.flatMap(([name, reason]) => (reason === undefined ? [] : [[name, reason]])),
    );
  }

  async #reason(name: string, check: HealthCheck): Promise<string | undefined> {
    const finished = new AbortController();
    const timeout = sleep(TIMEOUT_MS, undefined, { signal: finished.signal }).then(
      () => {
        throw new NotReady('the check timed out');
      },
      () => undefined,
    );
    try {
      await Promise.race([check(), timeout]);
      if (this.#logged.delete(name)) this.#log.info({ check: name }, 'ready again');
      return undefined;
    } catch (error) {
      const reason = error instanceof NotReady ? error.message : 'the check failed';
      if (this.#logged.get(name) !== reason) this.#log.warn({ err: error, check: name }, 'not ready');
      this.#logged.set(name, reason);
      return reason;
    } finally {
      finished.abort();
    }
  }
}

/**
 * `/health/live` reports that the process responds. `/health/ready` reports whether it can perform its role and, if
 * not, why.
 */
export function registerHealth(app: FastifyInstance, health: Health): void {
  app.get('/health/live', async () => ({ status: 'pass' }));
  app.get('/health/ready', async (_request, reply) => {
    const reasons = await health.reasons();
    if (Object.keys(reasons).length === 0) return { status: 'pass' };
    return await reply.code(503).send({ status: 'fail', reasons });
  });
}

interface State {
  readonly names: readonly string[];
  readonly isStandby: boolean;
}

/** Checks that the database responds, accepts writes, and has the schema of this version. */
export async function checkDatabase(database: Database): Promise<HealthCheck> {
  const required = await migrationNames();
  return cached(async () => {
    const { names, isStandby } = await stateOf(database);
    if (isStandby) throw new NotReady('the database is read-only: it is a standby');
    const missing = required.filter((name) => !names.includes(name));
    if (missing.length > 0)
      throw new NotReady(`the database schema is out of date: it lacks ${missing.join(', ')}`);
  }, DATABASE_CACHE_MS);
}

async function stateOf(database: Database): Promise<State> {
  try {
    const rows = await probeDatabase<State>(
      database,
      'select array(select name from schema_migrations) as names, pg_is_in_recovery() as "isStandby"',
    );
    return rows[0] ?? { names: [], isStandby: false };
  } catch (error) {
    const isEmpty = error instanceof pg.DatabaseError && error.code === UNDEFINED_TABLE;
    throw new NotReady(isEmpty ? 'the database has no schema' : 'the database cannot be reached', {
      cause: error,
    });
  }
}

/** Checks that the blob store can be read. */
export function checkBlobs(blobs: BlobStore): HealthCheck {
  return cached(async () => {
    try {
      await blobs.read(BLOB_STORE_MARKER, 0, 1);
    } catch (error) {
      throw new NotReady('the blob store cannot be used', { cause: error });
    }
  }, BLOBS_CACHE_MS);
}

/** Caches the result of a check; failures only briefly. Concurrent calls share one check. */
function cached(check: HealthCheck, ms: number): HealthCheck {
  let last: Promise<void> | undefined;
  return () => {
    if (last !== undefined) return last;
    const result = check();
    last = result;
    const expireAfter = (delayMs: number) => () => setTimeout(() => (last = undefined), delayMs).unref();
    result.then(expireAfter(ms), expireAfter(Math.min(ms, FAILURE_CACHE_MS)));
    return result;
  };
}
