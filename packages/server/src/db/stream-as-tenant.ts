import type pg from 'pg';
import { ApiError } from '../jsonapi/errors.ts';
import { asUnavailable, DatabaseUnavailable } from './database-errors.ts';
import { faultOf } from './session-client.ts';
import { beginAsTenant, SNAPSHOT } from './transaction.ts';

/**
 * Runs a read-only transaction for the tenant for as long as the generator that `work` returns is read, and passes its
 * values on. Unlike other reads, it has no time limit. The connection is closed if the signal fires, or if the
 * generator throws or is closed early, because a statement may still be running. After
 * an ApiError, none is: the generator throws it between statements.
 */
export async function* streamAsTenant<Value>(
  pool: pg.Pool,
  tenantId: string,
  signal: AbortSignal,
  work: (client: pg.ClientBase) => AsyncGenerator<Value, void>,
): AsyncGenerator<Value, void> {
  const client = await pool.connect().catch((error: unknown) => {
    throw new DatabaseUnavailable(error);
  });
  let unfinished: Error | undefined;
  // Ends a running statement: PostgreSQL cancels it when its client disconnects.
  const disconnect = () => void client.end().catch(() => undefined);
  signal.addEventListener('abort', disconnect);
  try {
    signal.throwIfAborted();
    unfinished = new Error('the stream was closed early');
    await beginAsTenant(client, tenantId, { mode: SNAPSHOT });
    yield* work(client);
    await client.query('commit');
    unfinished = undefined;
  } catch (error) {
    signal.throwIfAborted();
    // The locks of the transaction are released before the client receives the error and sends its next request.
    if (error instanceof ApiError && (await rollBack(client))) unfinished = undefined;
    throw asUnavailable(error, faultOf(client) !== undefined);
  } finally {
    signal.removeEventListener('abort', disconnect);
    client.release(faultOf(client) ?? unfinished);
  }
}

/** Returns false if the connection is lost: the error of the stream remains the one to report. */
async function rollBack(client: pg.ClientBase): Promise<boolean> {
  return await client.query('rollback').then(
    () => true,
    () => false,
  );
}
