import pg from 'pg';
import type { Database } from '../../db/connect.ts';
import { migrationNames } from '../../db/migration-files.ts';
import { probeDatabase } from '../../db/probe-database.ts';
import { type HealthCheck, NotReady, remembered } from './health.ts';

/** Anybody may probe, and each question takes a connection of its own. */
const REMEMBERED_MS = 500;
const UNDEFINED_TABLE = '42P01';

/** The database answers, can be written to, and has the schema that this code needs. */
export async function checkDatabase(database: Database): Promise<HealthCheck> {
  const needed = await migrationNames();
  return remembered(async () => {
    const { names, isStandby } = await stateOf(database);
    if (isStandby) throw new NotReady('the database takes no changes: it is a standby');
    const missing = needed.filter((name) => !names.includes(name));
    if (missing.length > 0)
      throw new NotReady(
        `the schema of the database is older than this version: it lacks ${missing.join(', ')}`,
      );
  }, REMEMBERED_MS);
}

interface State {
  readonly names: readonly string[];
  readonly isStandby: boolean;
}

async function stateOf(database: Database): Promise<State> {
  try {
    const rows = await probeDatabase<State>(
      database,
      'select array(select name from schema_migrations) as names, pg_is_in_recovery() as "isStandby"',
    );
    return rows[0] ?? { names: [], isStandby: false };
  } catch (error) {
    const isEmpty = error instanceof pg.DatabaseError && error.code === UNDEFINED_TABLE;
    throw new NotReady(isEmpty ? 'the database has no schema' : 'the database cannot be reached', {
      cause: error,
    });
  }
}
