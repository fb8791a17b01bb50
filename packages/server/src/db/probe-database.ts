import type pg from 'pg';
import { type Database, openConnection } from './connect.ts';

/** Client-side time limit of the connection attempt and of the statement, in milliseconds. */
const TIMEOUT_MS = 1500;
/** Shorter, so that a reachable server reports a slow statement itself. */
const STATEMENT_TIMEOUT_MS = 1200;

/**
 * Runs one statement on a new connection, to find out quickly whether the database responds. Open connections do not show
 * whether the server accepts new ones, and may be busy.
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
