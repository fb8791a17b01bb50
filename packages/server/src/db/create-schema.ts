import type pg from 'pg';
import { MIGRATION_LOCK } from './advisory-locks.ts';
import { ensureTable } from './apply-migrations.ts';
import type { MigrationFile } from './migration-files.ts';

/**
 * Creates the schema with these migrations, within the caller's open transaction. Does not record them:
 * `schema_migrations` stays empty. Other processes that apply migrations wait for the end of the transaction.
 */
export async function createSchema(client: pg.Client, files: readonly MigrationFile[]): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  await ensureTable(client);
  for (const { sql } of files) await client.query(sql);
}
