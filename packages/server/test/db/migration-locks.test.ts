import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { MIGRATIONS, migratedBefore } from '../support/migrated-before.ts';

const CHECK_KEYS = '0026-check-keys.sql';
const TABLES = "select oid from pg_class where relnamespace = 'sluice'::regnamespace and relkind = 'r'";
/** The tables with locks of this transaction that writers wait for. */
const BLOCKING_LOCKS = `
  select distinct relation::regclass::text as name from pg_locks
  where pid = pg_backend_pid() and relation = any($1::oid[])
    and mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
  order by 1`;
const IS_INCOMPLETE = "select where current_setting('sluice.is_incomplete', true) = 'true'";

describe('migrations', () => {
  // Uploads and workers lock tables in various orders. A migration that waits for a table while it has locked another one can
  // wait for them, and they for it. Earlier migrations also lock tables that refer to the changed one.
  it('lock a single existing table per transaction', async (t) => {
    const { client } = await migratedBefore(t, CHECK_KEYS);
    const names = (await readdir(MIGRATIONS)).sort();
    const several: string[] = [];
    for (const name of names.slice(names.indexOf(CHECK_KEYS))) {
      const sql = await readFile(new URL(name, MIGRATIONS), 'utf8');
      for (let isIncomplete = true; isIncomplete; ) {
        await client.query('begin');
        const tables = (await client.query<{ oid: number }>(TABLES)).rows.map(({ oid }) => oid);
        await client.query(sql);
        const locked = (await client.query<{ name: string }>(BLOCKING_LOCKS, [tables])).rows;
        isIncomplete = (await client.query(IS_INCOMPLETE)).rowCount !== 0;
        await client.query('commit');
        if (locked.length > 1) several.push(`${name}: ${locked.map((table) => table.name).join(', ')}`);
      }
    }
    assert.deepEqual(several, []);
  });
});
