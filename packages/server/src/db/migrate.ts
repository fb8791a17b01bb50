import { createHmac } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { OperatorError } from '../operator-error.ts';
import { APP_ROLE, type Database, openClient, SCHEMA } from './connect.ts';

export const MIGRATIONS = new URL('../../migrations/', import.meta.url);
export const MIGRATION_LOCK = 7_517_342_003;
const MIN_SERVER_VERSION = 150_000;
const DUPLICATE_ROLE = new Set(['42710', '23505']);
const INSUFFICIENT_PRIVILEGE = '42501';

export interface Migrated {
  /** For the sessions of requests and workers. */
  readonly database: Database;
  /** Names of the migrations that this call applied. */
  readonly applied: readonly string[];
}

/**
 * Brings the schema up to date, one process at a time (advisory lock), each migration in a transaction of its
 * own, and makes sure of a role that cannot bypass row level security. Safe to run at every start. On a server that is
 * all ours (`isOurs`) that role logs in by itself.
 */
export async function migrate(url: string, { isOurs = false } = {}): Promise<Migrated> {
  const client = await openClient({
    connectionString: url,
    application_name: 'sluice migrate',
    connectionTimeoutMillis: 10_000,
  });
  try {
    await assertServerVersion(client);
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query(`create schema if not exists ${SCHEMA}`);
    await client.query(`set search_path to ${SCHEMA}`);
    const applied = await applyMissing(client);
    const role = await restrictedRole(client);
    if (role !== undefined && isOurs)
      return { database: { url, role: undefined, sessionUrl: await letLogIn(client, url) }, applied };
    return { database: { url, role }, applied };
  } catch (error) {
    throw notAllowed(error) ?? error;
  } finally {
    await client.end();
  }
}

/** The migrations of this version, in their order. */
export async function migrationNames(): Promise<readonly string[]> {
  return (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort();
}

function notAllowed(error: unknown): OperatorError | undefined {
  if (!(error instanceof pg.DatabaseError && error.code === INSUFFICIENT_PRIVILEGE)) return undefined;
  return new OperatorError(
    `cannot prepare the database: ${error.message}; give DATABASE_URL an ordinary role that owns its database`,
    { cause: error },
  );
}

/** Throws an OperatorError if the server is older than version 15. */
export async function assertServerVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: number; text: string }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as text`,
  );
  const version = rows[0];
  if (version !== undefined && version.number < MIN_SERVER_VERSION) {
    throw new OperatorError(`PostgreSQL ${version.text} is too old: Sluice needs version 15 or newer`);
  }
}

async function applyMissing(client: pg.Client): Promise<string[]> {
  await client.query(
    'create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())',
  );
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations');
  const known = new Set(rows.map(({ name }) => name));
  const applied: string[] = [];
  for (const name of (await migrationNames()).filter((file) => !known.has(file))) {
    const sql = await readFile(new URL(name, MIGRATIONS), 'utf8');
    try {
      await client.query('begin');
      await client.query(sql);
      await client.query('insert into schema_migrations (name) values ($1)', [name]);
      await client.query('commit');
    } catch (error) {
      throw new OperatorError(
        `migration ${name} failed: ${error instanceof Error ? error.message : String(error)}`,
        {
          cause: error,
        },
      );
    }
    applied.push(name);
  }
  return applied;
}

/**
 * Forced row level security binds the tables' owner, but no superuser. Where the login role could bypass it,
 * sessions take on a role that cannot; an ordinary login role is used as it is.
 */
async function restrictedRole(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ bypasses: boolean }>(
    'select rolsuper or rolbypassrls as bypasses from pg_roles where rolname = current_user',
  );
  if (rows[0]?.bypasses !== true) return undefined;
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [APP_ROLE]);
  if (rowCount === 0) {
    try {
      await client.query(`create role ${APP_ROLE} nologin nosuperuser nobypassrls`);
    } catch (error) {
      // Roles belong to the whole server: another database's start may have made it in between.
      if (!(error instanceof pg.DatabaseError && DUPLICATE_ROLE.has(error.code ?? ''))) throw error;
    }
  }
  await client.query(`grant ${APP_ROLE} to current_user`);
  await client.query(`grant usage on schema ${SCHEMA} to ${APP_ROLE}`);
  await client.query(`grant select, insert, update, delete on all tables in schema ${SCHEMA} to ${APP_ROLE}`);
  return APP_ROLE;
}

/**
 * Gives the restricted role a login. A session that a superuser has opened could go back to its first role (SET ROLE);
 * one that this role has opened has none to go back to. Its password follows from the superuser's and tells nothing of it.
 */
async function letLogIn(client: pg.Client, url: string): Promise<string> {
  const sessionUrl = new URL(url);
  sessionUrl.username = APP_ROLE;
  sessionUrl.password = createHmac('sha256', decodeURIComponent(sessionUrl.password))
    .update(APP_ROLE)
    .digest('base64url');
  await client.query(`alter role ${APP_ROLE} login password ${client.escapeLiteral(sessionUrl.password)}`);
  return sessionUrl.href;
}
