import { OperatorError } from '../lib/operator-error.ts';
import { type Database, openConnection } from './connect.ts';

/**
 * Asserts, in a new session, that row level security applies to the service's sessions. A role with too many
 * privileges, or a pooler that drops session settings, would expose rows to other tenants. Throws an OperatorError.
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
      `the database role ${session?.role ?? '(none)'} bypasses row level security, so tenants could see each other's data; remove SUPERUSER and BYPASSRLS from it, or set DATABASE_URL to an ordinary role that owns its database`,
    );
  } finally {
    await client.end();
  }
}
