import { readFile } from 'node:fs/promises';
import type pg from 'pg';
import { SCHEMA } from './connect.ts';
import { MIGRATION_LOCK, MIGRATIONS } from './migrate.ts';

/**
 * Creates the schema as these migrations leave it, within the open transaction of the caller. All tables are empty, also
 * that of the migrations. Other processes that migrate wait for the end of the transaction.
 */
export async function createSchema(client: pg.Client, names: readonly string[]): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  // Asked first: even `if not exists` needs the permission to create.
  const { rowCount } = await client.query('select from pg_namespace where nspname = $1', [SCHEMA]);
  if (rowCount === 0) await client.query(`create schema ${SCHEMA}`);
  await client.query(
    'create table schema_migrations (name text primary key, applied_at timestamptz not null default now())',
  );
  for (const name of names) await client.query(await readFile(new URL(name, MIGRATIONS), 'utf8'));
}
