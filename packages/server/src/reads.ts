import type pg from 'pg';
import { CONNECTION_CHECK_MS } from './db/connect.ts';
import { type Queryable, readAsTenant } from './db/transaction.ts';
import { codeOf } from './error-code.ts';
import { ApiError } from './jsonapi/errors.ts';
import { TenantTurns } from './tenant-turns.ts';

/** How long a read waits for its turn. */
export const READ_QUEUE_SECONDS = 5;
const RETRY_SECONDS = 5;
/** SQLSTATE of a statement that its time limit has ended (PostgreSQL, appendix A). */
const QUERY_CANCELED = '57014';

export interface ReadLimits {
  readonly readsAtOnce: number;
  readonly readSeconds: number;
}

export interface ReadPools {
  /** For what is urgent. */
  readonly pool: pg.Pool;
  /** For all other reads: a connection for each that is at work. */
  readonly readPool: pg.Pool;
}

export interface Reader {
  readonly tenantId: string;
  /** Aborted when nobody waits for the result any more. */
  readonly signal: AbortSignal;
  /** Never waits for the reads of others. */
  readonly isUrgent: boolean;
}

/**
 * The reads of requests. So many are at work at a time, tenants in turn; a statement has a limit of time and ends with the
 * connection of its client. What is urgent has the other pool, and no turns.
 */
export class Reads {
  readonly #pools: ReadPools;
  readonly #limits: ReadLimits;
  readonly #turns: TenantTurns;

  constructor(pools: ReadPools, limits: ReadLimits) {
    this.#pools = pools;
    this.#limits = limits;
    const { readsAtOnce } = limits;
    this.#turns = new TenantTurns({
      atOnce: readsAtOnce,
      queueSeconds: READ_QUEUE_SECONDS,
      tooMany: tooManyReads,
    });
  }

  /**
   * Does the work in a transaction that only reads, as `readAsTenant`. Throws an ApiError (503) where it has waited in vain
   * or takes too long, and the reason of the signal.
   */
  async read<Result>(reader: Reader, work: (client: Queryable) => Promise<Result>): Promise<Result> {
    const { tenantId, signal, isUrgent } = reader;
    const { pool, readPool } = this.#pools;
    if (isUrgent) return await this.#run(pool, reader, work);
    const endTurn = await this.#turns.take(tenantId, signal);
    try {
      return await this.#run(readPool, reader, work);
    } finally {
      // What nobody waits for any more may go on until then.
      if (signal.aborted) setTimeout(endTurn, CONNECTION_CHECK_MS).unref();
      else endTurn();
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
        statementMs: readSeconds * 1000,
        signal,
      });
    } catch (error) {
      signal.throwIfAborted();
      if (codeOf(error) !== QUERY_CANCELED) throw error;
      throw tookTooLong(readSeconds, error);
    }
  }
}

function tooManyReads(which: 'all' | 'tenant', max: number): ApiError {
  return new ApiError({
    status: 503,
    code: 'too_many_reads',
    detail: `This process does ${max} ${max === 1 ? 'read' : 'reads'}${which === 'tenant' ? ' of a tenant' : ''} at once, and this one has waited ${READ_QUEUE_SECONDS} s for its turn. Try again in ${RETRY_SECONDS} s`,
    headers: { 'retry-after': String(RETRY_SECONDS) },
    meta: { limit: which === 'tenant' ? 'reads_at_once_per_tenant' : 'reads_at_once', max },
  });
}

function tookTooLong(max: number, cause: unknown): ApiError {
  return new ApiError({
    status: 503,
    code: 'read_timeout',
    detail: `A statement of this read took more than ${max} s and was ended. Narrow it with filters, or try again in ${RETRY_SECONDS} s`,
    headers: { 'retry-after': String(RETRY_SECONDS) },
    meta: { limit: 'read_seconds', max },
    cause,
  });
}
