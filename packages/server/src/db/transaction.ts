import type pg from 'pg';
import { asUnavailable, DatabaseUnavailable } from './database-unavailable.ts';

/** What runs SQL: a connection of its own or one out of the pool. */
export type Queryable = Pick<pg.ClientBase, 'query'>;

/**
 * How long a transaction of a request may take. A server that vanished under a statement says nothing, and the system
 * repeats what it has sent for a quarter of an hour.
 */
const PATIENCE_MS = 60_000;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Lets the open transaction see the rows of this tenant, and of no other, until it ends. */
export async function setTenant(client: Queryable, tenantId: string): Promise<void> {
  await client.query(`select set_config('sluice.tenant_id', $1, true)`, [tenantId]);
}

/**
 * Runs the work in one transaction of the tenant on this connection; any error undoes all of it. `mode` is what SQL's
 * `begin` takes.
 */
export async function inTransaction<Result>(
  client: Queryable,
  tenantId: string,
  work: (client: Queryable) => Promise<Result>,
  mode = '',
): Promise<Result> {
  if (!UUID.test(tenantId)) throw new TypeError(`not a tenant id: ${tenantId}`);
  try {
    // Both in one round trip, of which the second may fail alone; the id is checked, so it cannot end the string.
    await client.query(`begin ${mode}; select set_config('sluice.tenant_id', '${tenantId}', true)`);
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await rollback(client, error);
    throw error;
  }
}

/** As `inTransaction`, on a connection borrowed from the pool. */
export async function asTenant<Result>(
  pool: pg.Pool,
  tenantId: string,
  work: (client: Queryable) => Promise<Result>,
): Promise<Result> {
  const { client, isLost, giveBack, breakOff } = await borrow(pool);
  try {
    return await inTransaction(client, tenantId, work);
  } catch (error) {
    if (error instanceof TransactionLost) breakOff();
    throw asUnavailable(error, isLost());
  } finally {
    giveBack();
  }
}

/** For how long a read may go on. */
export interface ReadBounds {
  /** Of each statement; SQLSTATE 57014 afterwards. */
  readonly statementMs: number;
  /** Ends the read with its connection, whose end PostgreSQL notices within `CONNECTION_CHECK_MS`. */
  readonly signal: AbortSignal;
}

/**
 * As `asTenant` for work that only reads: all its statements see one moment, and its result need not wait for the end of
 * the transaction.
 */
export async function readAsTenant<Result>(
  pool: pg.Pool,
  tenantId: string,
  work: (client: Queryable) => Promise<Result>,
  bounds?: ReadBounds,
): Promise<Result> {
  const { client, isLost, giveBack, breakOff } = await borrow(pool);
  if (bounds?.signal.aborted === true) {
    giveBack();
    throw bounds.signal.reason;
  }
  // A cancel request would need the rights of the login role, or a second connection for each.
  bounds?.signal.addEventListener('abort', breakOff, { once: true });
  return await new Promise((resolve, reject) => {
    const read = async () => resolve(await work(client));
    const timeout = bounds === undefined ? '' : `; set local statement_timeout = ${bounds.statementMs}`;
    inTransaction(client, tenantId, read, `isolation level repeatable read, read only${timeout}`)
      // Once there is a result this changes nothing any more: a read has nothing to lose.
      .catch((error: unknown) => {
        if (error instanceof TransactionLost) breakOff();
        reject(asUnavailable(error, isLost()));
      })
      .finally(() => {
        bounds?.signal.removeEventListener('abort', breakOff);
        giveBack();
      });
  });
}

/** As `pool.query`, for what is asked before the tenant is known. Throws DatabaseUnavailable. */
export async function queryOnce<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  sql: string,
  values: readonly unknown[],
): Promise<readonly Row[]> {
  const { client, isLost, giveBack } = await borrow(pool);
  try {
    return (await client.query<Row>(sql, [...values])).rows;
  } catch (error) {
    throw asUnavailable(error, isLost());
  } finally {
    giveBack();
  }
}

interface Borrowed {
  readonly client: Queryable;
  /** Whether the connection broke while it was borrowed. */
  readonly isLost: () => boolean;
  readonly giveBack: () => void;
  /** Closes the connection, in the middle of whatever it does. */
  readonly breakOff: () => void;
}

async function borrow(pool: pg.Pool): Promise<Borrowed> {
  const client = await pool.connect().catch((error: unknown) => {
    throw new DatabaseUnavailable(error);
  });
  let broken: Error | undefined;
  let isBack = false;
  const giveBack = () => {
    clearTimeout(deadline);
    if (isBack) return;
    isBack = true;
    client.off('error', onError);
    client.release(broken);
  };
  const onError = (error: Error) => {
    broken = error;
  };
  client.on('error', onError);
  // The pool closes what is given back broken: the statement that runs rejects, and PostgreSQL ends it.
  const breakOff = (reason = 'the connection was closed in the middle of a transaction') => {
    broken ??= new Error(reason);
    giveBack();
  };
  const deadline = setTimeout(
    () => breakOff(`the database did not end a transaction within ${PATIENCE_MS} ms`),
    PATIENCE_MS,
  );
  return { client, isLost: () => broken !== undefined, giveBack, breakOff: () => breakOff() };
}

/**
 * A transaction could be neither committed nor rolled back. Its connection must not be used any more: the transaction may
 * still be open, with its locks and its tenant.
 */
export class TransactionLost extends Error {
  constructor(cause: unknown, rollbackError: unknown) {
    super('the transaction failed and its connection is lost', {
      cause: new AggregateError([cause, rollbackError]),
    });
    this.name = 'TransactionLost';
  }
}

/** Rolls back after an error. Throws TransactionLost where even that fails. */
export async function rollback(client: Queryable, cause: unknown): Promise<void> {
  try {
    await client.query('rollback');
  } catch (error) {
    throw new TransactionLost(cause, error);
  }
}
