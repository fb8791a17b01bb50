import type pg from 'pg';
import { type Database, openConnection } from './connect.ts';

/** Client-side time limit of the connection attempt and of the statement, in milliseconds. */
const TIMEOUT_MS = 1500;
/** Shorter, so that a reachable server reports a slow statement itself. */
const STATEMENT_TIMEOUT_MS = 1200;

/**
 * Runs one statement on a new connection, to determine quickly whether the database responds. Open connections may be
 * busy, and do not show whether the server accepts new connections.
 */
export async function probeDatabase<Row extends pg.QueryResultRow>(
  database: Database,
  sql: string,
): Promise<readonly Row[]> {
  const client = await openConnection(database, {
    applicationName: 'sluice operations',
    timeoutMs: TIMEOUT_MS,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  });
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    // Not awaited: the server may not respond.
    client.end().catch(() => undefined);
  }
}
