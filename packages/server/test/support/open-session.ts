import type pg from 'pg';
import { openConnection } from '../../src/db/connect.ts';
import { findRunningPostgres } from '../../src/db/embedded/embedded-postgres.ts';
import { migrate } from '../../src/db/migrate.ts';
import type { Service } from './service.ts';

/** A session in a service's database, authenticated and configured like the sessions of the service itself. */
export async function openSession({
  databaseUrl,
  dataDir,
}: Pick<Service, 'databaseUrl' | 'dataDir'>): Promise<pg.Client> {
  const isEmbedded = (await findRunningPostgres({ dataDir })) !== undefined;
  const { database } = await migrate(databaseUrl, { isEmbedded });
  return await openConnection(database, { applicationName: 'sluice test' });
}
