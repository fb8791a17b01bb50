import type pg from 'pg';
import { type Database, openConnection } from './connect.ts';

/** For the connection, and for the answer to the statement. */
const PATIENCE_MS = 1500;
/** Shorter, so that a server which is there says by itself that the statement took too long. */
const STATEMENT_MS = 1200;

/**
 * One statement on a new connection, for those who have to know in a moment whether the database answers: what is
 * open already tells nothing of a server that takes no new connections, and may be waited for by others.
 */
export async function probeDatabase<Row extends pg.QueryResultRow>(
  database: Database,
  sql: string,
): Promise<readonly Row[]> {
  const client = await openConnection(database, {
    applicationName: 'sluice operations',
    patienceMs: PATIENCE_MS,
    statementMs: STATEMENT_MS,
  });
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    // Nobody waits for the goodbye of a server that may not answer.
    client.end().catch(() => undefined);
  }
}
