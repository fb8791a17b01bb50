import pg from 'pg';
import { codeOf } from '../../lib/errors.ts';
import { DUPLICATE_DATABASE, UNIQUE_VIOLATION } from '../database-errors.ts';
import { EmbeddedPostgresError } from './cluster.ts';

/**
 * The result of a connection attempt. `busy`: PostgreSQL rejected it temporarily. `unresponsive`: no PostgreSQL
 * responded.
 */
export type ProbeResult = { type: 'ready' } | { type: 'busy' | 'unresponsive'; cause: unknown };

const CONNECT_TIMEOUT_MS = 5000;
const DATABASE = 'sluice';

/** The connection string of Sluice's database. */
export function databaseUrl(port: number, password: string): string {
  return urlOf(DATABASE, port, password);
}

/**
 * Connects to the server once, and creates Sluice's database if it is missing.
 *
 * @throws EmbeddedPostgresError `password_unusable` if the server rejects the password
 */
export async function probeServer(port: number, password: string): Promise<ProbeResult> {
  try {
    await ensureDatabase(urlOf('postgres', port, password));
    return { type: 'ready' };
  } catch (cause) {
    if (!(cause instanceof pg.DatabaseError)) return { type: 'unresponsive', cause };
    // SQLSTATE class 28: invalid authorization.
    if (!cause.code?.startsWith('28')) return { type: 'busy', cause };
    throw new EmbeddedPostgresError(
      'password_unusable',
      `PostgreSQL on port ${port} does not accept the password that is stored with the embedded cluster`,
      { cause },
    );
  }
}

async function ensureDatabase(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // Without a listener, a connection that breaks between two calls would terminate the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const found = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (found.rowCount === 0) await client.query(`create database ${DATABASE}`);
  } catch (error) {
    // duplicate_database or unique_violation: another process has just created the database.
    const code = codeOf(error);
    if (code !== DUPLICATE_DATABASE && code !== UNIQUE_VIOLATION) throw error;
  } finally {
    await client.end();
  }
}

function urlOf(name: string, port: number, password: string): string {
  // The server has no certificate, so the URL overrides PGSSLMODE.
  return `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/${name}?sslmode=disable`;
}
