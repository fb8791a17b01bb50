import type pg from 'pg';
import { OperatorError } from '../lib/errors.ts';
import { backendPid, type Database, openClient, openConnection, SCHEMA } from './connect.ts';

/** A single check is not enough, because a pooler may happen to assign the same server connection twice. */
const ROUNDS = 3;

/**
 * Asserts that a connection has its own PostgreSQL session. Under transaction pooling, an open transaction on another
 * connection either occupies the session of this connection, or forces the pooler to assign it a different session.
 * Throws an OperatorError, because advisory locks, LISTEN, temporary tables and session settings would be lost.
 */
export async function assertOwnSession(client: pg.Client, url: string): Promise<void> {
  const other = await openClient(url, { applicationName: 'sluice start' });
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const before = await backendPid(client);
      await other.query('begin');
      const otherSession = await backendPid(other);
      // Skips the second query if the sessions are the same: it would wait for the other transaction.
      const isShared = before === otherSession || before !== (await backendPid(client));
      await other.query('rollback');
      if (isShared) throw shared();
    }
  } catch (error) {
    // PgBouncer rejects `begin` under statement pooling.
    if (error instanceof Error && /statement pooling/.test(error.message)) throw shared(error);
    throw error;
  } finally {
    other.end().catch(() => undefined);
  }
}

function shared(cause?: unknown): OperatorError {
  return new OperatorError(
    'DATABASE_URL points to a connection pooler that shares sessions between clients, but Sluice needs one session per connection (advisory locks, LISTEN); set pool_mode = session for this database, or connect to PostgreSQL directly',
    { cause },
  );
}

/**
 * Asserts, in a new session, that row level security applies to the service's sessions. A role with too many
 * privileges, or a pooler that drops session settings, would expose rows to other tenants. Throws an OperatorError.
 */
export async function assertRowLevelSecurity(database: Database): Promise<void> {
  const client = await openConnection(database, { applicationName: 'sluice start' });
  try {
    const { rows } = await client.query<{ role: string; bypasses: boolean; isExempt: boolean }>(
      `select rolname as role, rolsuper or rolbypassrls as bypasses,
         exists (select from pg_class c where c.relowner = r.oid and c.relnamespace = to_regnamespace('${SCHEMA}')
           and c.relrowsecurity and not c.relforcerowsecurity) as "isExempt"
       from pg_roles r where rolname = current_user`,
    );
    const [session] = rows;
    // Row level security is not forced on distributed tables.
    if (session?.isExempt === true)
      throw new OperatorError(
        `the database role ${session.role} owns tables and is therefore exempt from row level security; transfer them to the role in DATABASE_URL`,
      );
    if (session?.bypasses === false) return;
    throw new OperatorError(
      `the database role ${session?.role ?? '(none)'} bypasses row level security, so tenants could see each other's data; remove SUPERUSER and BYPASSRLS from it, or set DATABASE_URL to an ordinary role that owns its database`,
    );
  } finally {
    await client.end();
  }
}
