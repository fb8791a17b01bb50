import pg from 'pg';
import type { Database } from '../../db/connect.ts';
import { migrationNames } from '../../db/migration-files.ts';
import { probeDatabase } from '../../db/probe-database.ts';
import { UNDEFINED_TABLE } from '../../db/sqlstates.ts';
import { cached, type HealthCheck, NotReady } from './health.ts';

/** Cached, because probes are not authenticated and each check opens a connection. */
const DATABASE_CACHE_MS = 500;

/** Checks that the database responds, accepts writes, and has the schema of this version. */
export async function checkDatabase(database: Database): Promise<HealthCheck> {
  const required = await migrationNames();
  return cached(async () => {
    const { names, isStandby } = await stateOf(database);
    if (isStandby) throw new NotReady('the database is read-only: it is a standby');
    const missing = required.filter((name) => !names.includes(name));
    if (missing.length > 0)
      throw new NotReady(`the database schema is out of date: it lacks ${missing.join(', ')}`);
  }, DATABASE_CACHE_MS);
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
