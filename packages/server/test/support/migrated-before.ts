import { readdir, readFile } from 'node:fs/promises';
import type { TestContext } from 'node:test';
import pg from 'pg';
import { createEmptyDatabase } from './run-cluster.ts';

export const MIGRATIONS = new URL('../../migrations/', import.meta.url);

/** Creates a database with all migrations before the given migration. The client is closed after the test. */
export async function migratedBefore(
  t: TestContext,
  next: string,
): Promise<{ url: string; client: pg.Client }> {
  const url = await createEmptyDatabase();
  const client = new pg.Client({ connectionString: url, options: '-c search_path=sluice -c timezone=UTC' });
  await client.connect();
  t.after(() => client.end());
  await client.query('create schema sluice; create table schema_migrations (name text primary key)');
  await client.query('alter table schema_migrations add applied_at timestamptz not null default now()');
  const names = (await readdir(MIGRATIONS)).sort();
  for (const name of names.slice(0, names.indexOf(next))) {
    await client.query(await readFile(new URL(name, MIGRATIONS), 'utf8'));
    await client.query('insert into schema_migrations (name) values ($1)', [name]);
  }
  return { url, client };
}
