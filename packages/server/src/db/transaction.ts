import type pg from 'pg';
import { asUnavailable, DatabaseUnavailable } from './database-errors.ts';
import { connectToNode, isDistributed } from './distribution.ts';
import { resetPlannerSettings } from './planner-settings.ts';
import { faultOf } from './session-client.ts';

/** Any connection that can run SQL, pooled or not. */
export type Queryable = Pick<pg.ClientBase, 'query'>;

/** Limits for a read. */
export interface ReadBounds {
  /** Time limit of each statement; longer statements fail with SQLSTATE 57014. */
  readonly statementTimeoutMs: number;
  /** Ends the read by closing its connection, which PostgreSQL detects within `CONNECTION_CHECK_MS`. */
  readonly signal: AbortSignal;
}

/**
 * Time limit of a request's transaction. If a server drops off the network during a statement, the operating system
 * retransmits for about 15 minutes before it reports an error.
 */
const TRANSACTION_TIMEOUT_MS = 60_000;

/** The mode of a transaction whose statements all read the same snapshot. */
export const SNAPSHOT = 'isolation level repeatable read, read only';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Restricts the open transaction to this tenant's rows. */
export async function setTenant(client: Queryable, tenantId: string): Promise<void> {
  await client.query(tenantSetting(client, tenantId));
}

/**
 * Citus passes only `set local` on to nodes. `pg_stat_statements` combines only calls of `set_config` with different
 * ids.
 */
function tenantSetting(client: Queryable, tenantId: string): string {
  // The id is validated, so it can't end the string literal.
  if (!UUID.test(tenantId)) throw new TypeError(`not a tenant id: ${tenantId}`);
  return isDistributed(client)
    ? `set local sluice.tenant_id = '${tenantId}'`
    : `select set_config('sluice.tenant_id', '${tenantId}', true)`;
}

/** Begins a transaction that is restricted to this tenant's rows. */
export async function beginAsTenant(
  client: Queryable,
  tenantId: string,
  { mode = '', statementTimeoutMs, isAsynchronous = false }: TransactionOptions = {},
): Promise<void> {
  resetPlannerSettings(client);
  const begin = `begin ${mode}`;
  const settings = [
    tenantSetting(client, tenantId),
    ...(statementTimeoutMs === undefined ? [] : [`set local statement_timeout = ${statementTimeoutMs}`]),
    ...(isAsynchronous && isDistributed(client) ? ['set local synchronous_commit to off'] : []),
  ].join('; ');
  // One round trip. Citus passes the whole message on to nodes, where `begin` would be executed as well.
  const messages = isDistributed(client) ? [begin, settings] : [`${begin}; ${settings}`];
  for (const message of messages) await client.query(message);
}

export interface TransactionOptions {
  /** The transaction mode that follows `begin` in SQL. */
  readonly mode?: string;
  /** Time limit of each statement. */
  readonly statementTimeoutMs?: number;
  /**
   * Whether a node that crashes may lose the transaction after it was committed. Has an effect only on a distributed
   * database, whose nodes do not apply the settings of a session.
   */
  readonly isAsynchronous?: boolean;
}

/** Runs the work in one transaction for the tenant on this connection, and rolls back on any error. */
export async function inTransaction<Result>(
  client: Queryable,
  tenantId: string,
  work: (client: Queryable) => Promise<Result>,
  options: TransactionOptions = {},
): Promise<Result> {
  try {
    await beginAsTenant(client, tenantId, options);
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await rollback(client, error);
    throw error;
  }
}

/** Rolls back after an error. Throws TransactionLost if the rollback fails as well. */
export async function rollback(client: Queryable, cause: unknown): Promise<void> {
  try {
    await client.query('rollback');
  } catch (error) {
    throw new TransactionLost(cause, error);
  }
}

/**
 * A transaction could be neither committed nor rolled back. Its connection must not be used again: the transaction may
 * still be open, with its locks and its tenant.
 */
export class TransactionLost extends Error {
  constructor(cause: unknown, rollbackError: unknown) {
    super('the transaction failed and its connection was lost', {
      cause: new AggregateError([cause, rollbackError]),
    });
    this.name = 'TransactionLost';
  }
}

/** Like `inTransaction`, on a connection borrowed from the pool. */
export async function asTenant<Result>(
  pool: pg.Pool,
  tenantId: string,
  work: (client: Queryable) => Promise<Result>,
): Promise<Result> {
  const { client, isLost, release, abort } = await borrow(pool);
  try {
    return await inTransaction(client, tenantId, work);
  } catch (error) {
    if (error instanceof TransactionLost) abort();
    throw asUnavailable(error, isLost());
  } finally {
    release();
  }
}

/**
 * Like `asTenant`, but for read-only work: all statements use one snapshot, and the result is returned without waiting
 * for the end of the transaction. In a distributed database, the statements can use only tables of tenants.
 */
export async function readAsTenant<Result>(
  pool: pg.Pool,
  tenantId: string,
  work: (client: Queryable) => Promise<Result>,
  bounds?: ReadBounds,
): Promise<Result> {
  const { client, isLost, release, abort } = await borrow(pool, tenantId);
  if (bounds?.signal.aborted === true) {
    release();
    throw bounds.signal.reason;
  }
  // A cancel request would need the privileges of the login role, or a second connection for each read.
  bounds?.signal.addEventListener('abort', abort, { once: true });
  return await new Promise((resolve, reject) => {
    const read = async () => resolve(await work(client));
    inTransaction(client, tenantId, read, { mode: SNAPSHOT, ...bounds })
      // After `resolve`, `reject` has no effect. Errors at this point do not matter, because a read has nothing to
      // commit.
      .catch((error: unknown) => {
        if (error instanceof TransactionLost) abort();
        reject(asUnavailable(error, isLost()));
      })
      .finally(() => {
        bounds?.signal.removeEventListener('abort', abort);
        release();
      });
  });
}

/** Like `pool.query`, for queries before the tenant is known. Throws DatabaseUnavailable. */
export async function queryOnce<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  sql: string,
  values: readonly unknown[],
): Promise<readonly Row[]> {
  const { client, isLost, release } = await borrow(pool);
  try {
    return (await client.query<Row>(sql, [...values])).rows;
  } catch (error) {
    throw asUnavailable(error, isLost());
  } finally {
    release();
  }
}

interface Borrowed {
  readonly client: Queryable;
  /** Whether the connection broke while it was borrowed. */
  readonly isLost: () => boolean;
  readonly release: () => void;
  /** Closes the connection even if a statement is running. */
  readonly abort: () => void;
}

/** With a tenant, the connection may be to the tenant's node. */
async function borrow(pool: pg.Pool, tenantId?: string): Promise<Borrowed> {
  const ofNode = tenantId === undefined ? undefined : await connectToNode(pool, tenantId);
  const client =
    ofNode ??
    (await pool.connect().catch((error: unknown) => {
      throw new DatabaseUnavailable(error);
    }));
  let aborted: Error | undefined;
  let isReleased = false;
  const isLost = () => aborted !== undefined || faultOf(client) !== undefined;
  const release = () => {
    clearTimeout(deadline);
    if (isReleased) return;
    isReleased = true;
    client.release(faultOf(client) ?? aborted);
  };
  // The pool closes a connection that is released with an error. The running statement rejects and is canceled.
  const abort = (reason = 'the connection was closed during a transaction') => {
    aborted ??= new Error(reason);
    release();
  };
  const deadline = setTimeout(
    () => abort(`the transaction did not end within ${TRANSACTION_TIMEOUT_MS} ms`),
    TRANSACTION_TIMEOUT_MS,
  );
  return { client, isLost, release, abort: () => abort() };
}
