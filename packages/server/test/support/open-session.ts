import assert from 'node:assert/strict';
import type pg from 'pg';
import { openConnection } from '../../src/db/connect.ts';
import { findRunningPostgres } from '../../src/db/embedded/embedded-postgres.ts';
import { migrate } from '../../src/db/migrate.ts';

/** A session of the running embedded PostgreSQL in that data directory, logged in and set up as the service's own are. */
export async function openSession(dataDir: string): Promise<pg.Client> {
  const server = await findRunningPostgres({ dataDir });
  const { database } = await migrate(server?.url ?? assert.fail('PostgreSQL does not run'), { isOurs: true });
  return await openConnection(database, { applicationName: 'sluice test' });
}
