import type pg from 'pg';
import { OperatorError } from '../operator-error.ts';
import { openClient } from './connect.ts';

/** A pooler may by chance hand out the same server connection twice. */
const ROUNDS = 3;

/**
 * Makes sure that a connection has a session of PostgreSQL to itself. While another connection has a transaction open,
 * a pooler that lends sessions for one transaction gives this one another session, or gave the other one this one's.
 * Throws an OperatorError: advisory locks, LISTEN, temporary tables and settings of a session would get lost.
 */
export async function assertOwnSession(client: pg.Client, url: string): Promise<void> {
  const other = await openClient(url, { applicationName: 'sluice start' });
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const before = await sessionOf(client);
      await other.query('begin');
      const ofOther = await sessionOf(other);
      // Where the sessions are the same, this one would have to wait for the other.
      const isShared = before === ofOther || before !== (await sessionOf(client));
      await other.query('rollback');
      if (isShared) throw shared();
    }
  } catch (error) {
    // PgBouncer refuses `begin` where it pools statements.
    if (error instanceof Error && /statement pooling/.test(error.message)) throw shared(error);
    throw error;
  } finally {
    other.end().catch(() => undefined);
  }
}

async function sessionOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}

function shared(cause?: unknown): OperatorError {
  return new OperatorError(
    'DATABASE_URL leads to a connection pooler that shares sessions between its clients, and Sluice needs a session for each connection (advisory locks, LISTEN); set pool_mode = session for this database, or connect to PostgreSQL directly',
    { cause },
  );
}
