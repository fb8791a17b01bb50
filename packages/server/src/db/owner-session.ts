import pg from 'pg';
import { OperatorError } from '../lib/errors.ts';
import { LOST_CLIENT_SETTINGS, openClient, SCHEMA } from './connect.ts';
import { INSUFFICIENT_PRIVILEGE } from './database-errors.ts';
import { applySettings, type SessionSettings } from './session-settings.ts';

const OWNER_SETTINGS: SessionSettings = new Map([
  ['statement_timeout', '0'],
  ['lock_timeout', '0'],
  ['idle_in_transaction_session_timeout', '0'],
  ['idle_session_timeout', '0'],
  ['datestyle', 'ISO'],
  ['client_encoding', 'UTF8'],
  ['search_path', SCHEMA],
  ['timezone', 'UTC'],
  ...LOST_CLIENT_SETTINGS,
]);

/**
 * Runs the work in a session of the login role, without time limits from the database or the role. Throws an
 * OperatorError if the role lacks a privilege.
 */
export async function asOwner<Result>(
  url: string,
  applicationName: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = await openClient(url, { applicationName });
  try {
    await applySettings(client, OWNER_SETTINGS, false);
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
