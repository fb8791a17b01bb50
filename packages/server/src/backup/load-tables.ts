import { createReadStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { SCHEMA } from '../db/connect.ts';
import { OperatorError } from '../lib/errors.ts';
import type { Report } from './create-backup.ts';
import type { BackupTable } from './manifest.ts';
import { NOT_COPIED } from './snapshot.ts';

/**
 * Loads the rows of a backup into the empty tables of the schema, within the owner's open transaction. Indexes and
 * foreign keys are created after the rows, because that is faster. In the meantime, triggers are disabled and the owner
 * is exempt from row level security. This is safe, because no other session sees the tables before the commit.
 */
export async function loadTables(
  client: pg.Client,
  folder: string,
  tables: readonly BackupTable[],
  report: Report,
  signal: AbortSignal,
): Promise<void> {
  const isolated = await forcedTables(client);
  await assertSameTables(client, tables);
  const deferred = [...(await foreignKeys(client)), ...(await indexes(client))];
  for (const table of isolated) await client.query(`alter table ${table} no force row level security`);
  for (const { drop } of deferred) await client.query(drop);
  for (const table of tables) {
    const name = client.escapeIdentifier(table.name);
    await client.query(`alter table ${name} disable trigger user`);
    report(`loading ${table.name}: ${table.rows} rows`);
    await loadTable(client, folder, table, signal);
    await client.query(`alter table ${name} enable trigger user`);
  }
  // In reverse order, because checking foreign keys requires the indexes.
  for (const { create } of deferred.reverse()) {
    report('creating indexes and constraints');
    signal.throwIfAborted();
    await client.query(create);
  }
  await continueIdentities(client);
  for (const table of tables) {
    await assertCount(client, table);
    await client.query(`analyze ${client.escapeIdentifier(table.name)}`);
  }
}

/** The quoted names of tables whose row level security also applies to their owner. */
export async function forcedTables(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class
     where relnamespace = $1::regnamespace and relkind = 'r' and relforcerowsecurity order by relname`,
    [SCHEMA],
  );
  return rows.map(({ name }) => name);
}

async function loadTable(
  client: pg.Client,
  folder: string,
  { name, columns, file }: BackupTable,
  signal: AbortSignal,
): Promise<void> {
  const list = columns.map((column) => client.escapeIdentifier(column)).join(', ');
  const copy = client.query(copyFrom(`copy ${client.escapeIdentifier(name)} (${list}) from stdin`));
  const source = createReadStream(path.join(folder, file));
  await pipeline([source, createZstdDecompress(), copy], { signal });
}

/** Compares in both directions, because a table that is missing from the backup would silently stay empty. */
async function assertSameTables(client: pg.Client, tables: readonly BackupTable[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = $1::regnamespace and relkind = 'r' and relname <> all ($2) order by relname`,
    [SCHEMA, [...NOT_COPIED]],
  );
  const found = rows.map(({ name }) => name).join(', ');
  const expected = tables
    .map(({ name }) => name)
    .sort()
    .join(', ');
  if (found !== expected)
    throw new OperatorError(
      `the tables of the backup (${expected}) differ from those that its migrations create (${found}); restore it with the version of Sluice that created it`,
    );
}

async function assertCount(client: pg.Client, { name, rows: expected }: BackupTable): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::float8 as count from ${client.escapeIdentifier(name)}`,
  );
  if (rows[0]?.count !== expected)
    throw new Error(`${rows[0]?.count} rows of ${name} were restored, but the backup contains ${expected}`);
}

/** Sets the sequence of each identity column to the greatest value of the column. */
async function continueIdentities(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('select setval(pg_get_serial_sequence(%L, %L), max(%I)) from %s having max(%I) is not null',
         attrelid::regclass, attname, attname, attrelid::regclass, attname) as statement
     from pg_attribute join pg_class c on c.oid = attrelid
     where c.relnamespace = $1::regnamespace and attidentity <> '' order by attrelid, attnum`,
    [SCHEMA],
  );
  for (const { statement } of rows) await client.query(statement);
}

interface DeferredObject {
  readonly drop: string;
  readonly create: string;
}

async function foreignKeys(client: pg.Client): Promise<readonly DeferredObject[]> {
  const { rows } = await client.query<DeferredObject>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create
     from pg_constraint where connamespace = $1::regnamespace and contype = 'f' order by conrelid, conname`,
    [SCHEMA],
  );
  return rows;
}

/** The indexes that do not belong to a constraint. */
async function indexes(client: pg.Client): Promise<readonly DeferredObject[]> {
  const { rows } = await client.query<DeferredObject>(
    `select format('drop index %s', i.indexrelid::regclass) as drop, pg_get_indexdef(i.indexrelid) as create
     from pg_index i join pg_class c on c.oid = i.indexrelid
     where c.relnamespace = $1::regnamespace
       and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
     order by i.indrelid, i.indexrelid`,
    [SCHEMA],
  );
  return rows;
}
