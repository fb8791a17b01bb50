import type pg from 'pg';
import { ApiError } from '../jsonapi/errors.ts';
import { codeOf } from '../lib/errors.ts';
import { TenantSlots } from '../lib/tenant-slots.ts';
import { CONNECTION_CHECK_MS } from './connect.ts';
import { QUERY_CANCELED } from './database-errors.ts';
import { type Queryable, readAsTenant } from './transaction.ts';

/** How long a read waits for a slot. */
export const READ_QUEUE_SECONDS = 5;
const RETRY_SECONDS = 5;

export interface ReadLimits {
  readonly readsAtOnce: number;
  readonly readSeconds: number;
}

export interface ReadPools {
  /** For urgent reads (`isUrgent`). */
  readonly pool: pg.Pool;
  /** For all other reads; one connection per slot. */
  readonly readPool: pg.Pool;
}

export interface Reader {
  readonly tenantId: string;
  /** Aborted when the client no longer waits for the result. */
  readonly signal: AbortSignal;
  /** Whether the read bypasses the queue. */
  readonly isUrgent: boolean;
}

/**
 * Runs database reads for requests with limited concurrency, using round-robin scheduling across tenants. Statements
 * have a time limit and are canceled when the client disconnects. Urgent reads use a separate pool without a queue.
 */
export class Reads {
  readonly #pools: ReadPools;
  readonly #limits: ReadLimits;
  readonly #slots: TenantSlots;

  constructor(pools: ReadPools, limits: ReadLimits) {
    this.#pools = pools;
    this.#limits = limits;
    const { readsAtOnce } = limits;
    this.#slots = new TenantSlots({
      atOnce: readsAtOnce,
      queueSeconds: READ_QUEUE_SECONDS,
      tooMany: tooManyReads,
    });
  }

  /**
   * Runs the work in a read-only transaction, like `readAsTenant`. Throws an ApiError (503) if no slot becomes free or
   * the read takes too long, and the signal's abort reason if the signal is aborted.
   */
  async read<Result>(reader: Reader, work: (client: Queryable) => Promise<Result>): Promise<Result> {
    const { tenantId, signal, isUrgent } = reader;
    const { pool, readPool } = this.#pools;
    if (isUrgent) return await this.#run(pool, reader, work);
    const releaseSlot = await this.#slots.take(tenantId, signal);
    try {
      return await this.#run(readPool, reader, work);
    } finally {
      // PostgreSQL may take up to this long to detect the closed connection and cancel the statement.
      if (signal.aborted) setTimeout(releaseSlot, CONNECTION_CHECK_MS).unref();
      else releaseSlot();
    }
  }

  async #run<Result>(
    pool: pg.Pool,
    { tenantId, signal }: Reader,
    work: (client: Queryable) => Promise<Result>,
  ): Promise<Result> {
    const { readSeconds } = this.#limits;
    try {
      return await readAsTenant(pool, tenantId, work, {
        statementTimeoutMs: readSeconds * 1000,
        signal,
      });
    } catch (error) {
      signal.throwIfAborted();
      if (codeOf(error) !== QUERY_CANCELED) throw error;
      throw tookTooLong(readSeconds, error);
    }
  }
}

function tooManyReads(scope: 'all' | 'tenant', max: number): ApiError {
  return new ApiError({
    status: 503,
    code: 'too_many_reads',
    detail: `The limit is ${max} concurrent ${max === 1 ? 'read' : 'reads'}${scope === 'tenant' ? ' per tenant' : ''}, and no slot became free within ${READ_QUEUE_SECONDS} seconds. Try again in ${RETRY_SECONDS} seconds.`,
    headers: { 'retry-after': String(RETRY_SECONDS) },
    meta: { limit: scope === 'tenant' ? 'reads_at_once_per_tenant' : 'reads_at_once', max },
  });
}

function tookTooLong(max: number, cause: unknown): ApiError {
  return new ApiError({
    status: 503,
    code: 'read_timeout',
    detail: `The read exceeded the time limit of ${max} ${max === 1 ? 'second' : 'seconds'}. Add filters to narrow the results, or try again in ${RETRY_SECONDS} seconds.`,
    headers: { 'retry-after': String(RETRY_SECONDS) },
    meta: { limit: 'read_seconds', max },
    cause,
  });
}
