import { OperatorError } from '../operator-error.ts';
import { type Database, openConnection } from './connect.ts';

/**
 * Makes sure, in a session as the service opens it, that row level security binds it: a role that was given too much, or a
 * pooler that drops the settings of a session, would show every tenant's rows to every other. Throws an OperatorError.
 */
export async function assertRowLevelSecurity(database: Database): Promise<void> {
  const client = await openConnection(database, { applicationName: 'sluice start' });
  try {
    const { rows } = await client.query<{ role: string; bypasses: boolean }>(
      'select rolname as role, rolsuper or rolbypassrls as bypasses from pg_roles where rolname = current_user',
    );
    const [session] = rows;
    if (session?.bypasses === false) return;
    throw new OperatorError(
      `the sessions of the service have the role ${session?.role ?? '(none)'}, which row level security does not bind, so tenants would see each other; take SUPERUSER and BYPASSRLS from it, or give DATABASE_URL an ordinary role that owns its database`,
    );
  } finally {
    await client.end();
  }
}
