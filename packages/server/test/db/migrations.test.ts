import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { migrate } from '../../src/db/migrate.ts';
import { createEmptyDatabase } from '../support/run-cluster.ts';
import { assertTrueCounts } from '../support/true-counts.ts';

const MIGRATIONS = new URL('../../migrations/', import.meta.url);
const COUNTS = '0008-counts.sql';

describe('migrating a database in use', () => {
  let client: pg.Client;
  let url: string;
  before(async () => {
    url = await createEmptyDatabase();
    client = new pg.Client({ connectionString: url, options: '-c search_path=sluice' });
    await client.connect();
    await client.query('create schema sluice; create table schema_migrations (name text primary key)');
    await client.query('alter table schema_migrations add applied_at timestamptz not null default now()');
    const names = (await readdir(MIGRATIONS)).sort();
    for (const name of names.slice(0, names.indexOf(COUNTS))) {
      await client.query(await readFile(new URL(name, MIGRATIONS), 'utf8'));
      await client.query('insert into schema_migrations (name) values ($1)', [name]);
    }
  });
  after(async () => {
    await client.end();
  });

  it('counts the existing findings of every tenant', async () => {
    await client.query(
      `insert into tenants (tenant_id, name, subscription)
       select gen_random_uuid(), 'Tenant ' || n, 'active' from generate_series(1, 2) as n`,
    );
    await client.query(
      `insert into findings (tenant_id, id, provider_id, ingestion_id, record_index, frame, record_offset, record_bytes,
         status, severity, muted, first_seen_at, last_seen_at, status_changed_at, check_id, uid, service)
       select tenant_id, gen_random_uuid(), tenant_id, tenant_id, 0, 0, 0, 0,
         (array['PASS', 'FAIL'])[1 + n % 2]::finding_status, n % 3, n % 5 = 0, now(), now(), now(), 'c', 'u' || n,
         case when n % 7 > 0 then 'service-' || n % 2 end
       from tenants cross join generate_series(1, 100) as n`,
    );
    const { applied } = await migrate(url);
    assert.equal(applied[0], COUNTS);
    const sql = async (text: string) => (await client.query(text)).rows;
    await assertTrueCounts({ sql });
    const { rows } = await client.query(
      'select sum(number)::int as number from finding_counts group by tenant_id',
    );
    assert.deepEqual(rows, [{ number: 100 }, { number: 100 }]);
  });
});
