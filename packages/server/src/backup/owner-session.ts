import pg from 'pg';
import { CONNECTION_CHECK_MS, openClient, SCHEMA } from '../db/connect.ts';
import { INSUFFICIENT_PRIVILEGE } from '../db/database-errors.ts';
import { OperatorError } from '../lib/errors.ts';

/**
 * Runs the work in a session of the login role, without time limits from the database or the role. Throws an OperatorError if
 * the role lacks a privilege.
 */
export async function asOwner<Result>(
  url: string,
  applicationName: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = await openClient(url, { applicationName });
  try {
    await client.query(
      `set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0;
       set idle_session_timeout = 0; set datestyle = 'ISO'; set client_encoding = 'UTF8';
       set search_path = ${SCHEMA}; set timezone = 'UTC';
       -- Release the locks of a process that is killed, or whose host disappears, within seconds.
       set client_connection_check_interval = ${CONNECTION_CHECK_MS};
       set tcp_keepalives_idle = 15; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3`,
    );
    return await work(client);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === INSUFFICIENT_PRIVILEGE)) throw error;
    throw new OperatorError(
      `${error.message}; set DATABASE_URL to a role that owns the database and its tables`,
      { cause: error },
    );
  } finally {
    // Rejections are ignored: the connection may be in the middle of an interrupted COPY.
    await Promise.allSettled([client.end()]);
  }
}

/** Whether the session bypasses row level security. */
export async function bypassesRowSecurity(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ bypasses: boolean }>(
    'select rolsuper or rolbypassrls as bypasses from pg_roles where rolname = current_user',
  );
  return rows[0]?.bypasses === true;
}
