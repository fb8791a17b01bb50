import pg from 'pg';
import { codeOf } from '../../error-code.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

/** What a connection attempt showed: it answers, it asks to wait, or nobody there speaks PostgreSQL. */
export type Answer = { kind: 'ready' } | { kind: 'busy' | 'silent'; cause: unknown };

const connectTimeoutMs = 5000;
const database = 'sluice';

/** The connection string of Sluice's database. */
export function databaseUrl(port: number, password: string): string {
  return urlOf(database, port, password);
}

/**
 * Connects to the server once, and creates Sluice's database when it is not there yet.
 *
 * @throws EmbeddedPostgresError `password_unusable` when the server does not take our password
 */
export async function probeServer(port: number, password: string): Promise<Answer> {
  try {
    await ensureDatabase(urlOf('postgres', port, password));
    return { kind: 'ready' };
  } catch (cause) {
    if (!(cause instanceof pg.DatabaseError)) return { kind: 'silent', cause };
    // Class 28 of SQLSTATE: invalid authorization.
    if (!cause.code?.startsWith('28')) return { kind: 'busy', cause };
    throw new EmbeddedPostgresError(
      'password_unusable',
      `The PostgreSQL on port ${port} does not accept the password kept beside the embedded cluster`,
      { cause },
    );
  }
}

async function ensureDatabase(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: connectTimeoutMs });
  const lost: Error[] = [];
  // Without a listener, a connection that breaks between two calls would end the process.
  client.on('error', (error) => lost.push(error));
  await client.connect();
  try {
    const found = await client.query('select from pg_database where datname = $1', [database]);
    if (found.rowCount === 0) await client.query(`create database ${database}`);
  } catch (error) {
    // duplicate_database or unique_violation: another process created it just now.
    const code = codeOf(error);
    if (code !== '42P04' && code !== '23505') throw error;
  } finally {
    await client.end();
  }
}

function urlOf(name: string, port: number, password: string): string {
  // sslmode: the server has no certificate, whatever PGSSLMODE says.
  return `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/${name}?sslmode=disable`;
}
