import pg from 'pg';
import { CONNECTION_CHECK_MS, openClient, SCHEMA } from '../db/connect.ts';
import { OperatorError } from '../operator-error.ts';

const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Runs work in a session of the login role, without the time limits that a database may set for sessions. Where the role
 * lacks a permission it throws an OperatorError.
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
       -- The locks of a process that is killed, or whose host disappears, are released soon.
       set client_connection_check_interval = ${CONNECTION_CHECK_MS};
       set tcp_keepalives_idle = 15; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3`,
    );
    return await work(client);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === INSUFFICIENT_PRIVILEGE)) throw error;
    throw new OperatorError(
      `${error.message}; give DATABASE_URL a role that owns its database and the tables in it`,
      { cause: error },
    );
  } finally {
    // The connection may be in the middle of a COPY that was cut off.
    await Promise.allSettled([client.end()]);
  }
}

/** Whether row level security does not restrict the session. */
export async function bypassesRowSecurity(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ bypasses: boolean }>(
    'select rolsuper or rolbypassrls as bypasses from pg_roles where rolname = current_user',
  );
  return rows[0]?.bypasses === true;
}
