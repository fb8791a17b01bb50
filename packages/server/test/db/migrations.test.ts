import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { migrate } from '../../src/db/migrate.ts';
import { createEmptyDatabase } from '../support/run-cluster.ts';
import { assertTrueCounts } from '../support/true-counts.ts';

const MIGRATIONS = new URL('../../migrations/', import.meta.url);
const COUNTS = '0008-counts.sql';
const FUTURE_TIMES = '0016-future-times.sql';

/** A database with the migrations before this one. */
async function migratedTo(last: string): Promise<{ url: string; client: pg.Client }> {
  const url = await createEmptyDatabase();
  const client = new pg.Client({ connectionString: url, options: '-c search_path=sluice -c timezone=UTC' });
  await client.connect();
  await client.query('create schema sluice; create table schema_migrations (name text primary key)');
  await client.query('alter table schema_migrations add applied_at timestamptz not null default now()');
  const names = (await readdir(MIGRATIONS)).sort();
  for (const name of names.slice(0, names.indexOf(last))) {
    await client.query(await readFile(new URL(name, MIGRATIONS), 'utf8'));
    await client.query('insert into schema_migrations (name) values ($1)', [name]);
  }
  return { url, client };
}

describe('migrating a database in use', () => {
  let client: pg.Client;
  let url: string;
  before(async () => {
    ({ client, url } = await migratedTo(COUNTS));
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

describe('migrating times after their upload', () => {
  let client: pg.Client;
  let url: string;
  before(async () => {
    ({ client, url } = await migratedTo(FUTURE_TIMES));
  });
  after(async () => {
    await client.end();
  });

  it('replaces them with the time of the upload, and leaves all others', async () => {
    await client.query(
      `insert into tenants (tenant_id, name, subscription) values (gen_random_uuid(), 'Tenant', 'active');
       insert into ingestions (tenant_id, id, received_bytes, bytes, total, frames, requested_at, api_key_id)
         select tenant_id, tenant_id, 1, 1, 1, 1, '2026-01-02 03:04:05.678', tenant_id from tenants;
       alter table findings disable trigger user;
       insert into findings (tenant_id, id, provider_id, ingestion_id, record_index, frame, record_offset, record_bytes,
           status, severity, muted, first_seen_at, last_seen_at, status_changed_at, previous_seen_at, check_id, uid)
         select tenant_id, gen_random_uuid(), tenant_id, tenant_id, 0, 0, 0, 0, 'FAIL', 1, false,
           time, time, time, previous, 'c', uid
         from tenants cross join (values ('past', timestamptz '2025-01-01', timestamptz '2024-01-01'),
           ('future', '9999-01-01', null), ('both', '9999-01-01', '9998-01-01')) as v (uid, time, previous);
       alter table findings enable trigger user;
       insert into checks (tenant_id, provider_type, check_id, "references", categories, seen_at)
         select tenant_id, 'aws', 'c', '{}', '{}', '9999-01-01' from tenants`,
    );
    const { applied } = await migrate(url);
    assert.equal(applied[0], FUTURE_TIMES);
    const { rows } = await client.query(
      'select uid, first_seen_at::text, last_seen_at::text, status_changed_at::text, previous_seen_at::text from findings order by uid',
    );
    const [upload, past, before] = [
      '2026-01-02 03:04:05.678+00',
      '2025-01-01 00:00:00+00',
      '2024-01-01 00:00:00+00',
    ];
    const seen = (time: string) => ({ first_seen_at: time, last_seen_at: time, status_changed_at: time });
    assert.deepEqual(rows, [
      { uid: 'both', ...seen(upload), previous_seen_at: upload },
      { uid: 'future', ...seen(upload), previous_seen_at: null },
      { uid: 'past', ...seen(past), previous_seen_at: before },
    ]);
    const checks = await client.query('select seen_at <= now() as "isPast" from checks');
    assert.deepEqual(checks.rows, [{ isPast: true }]);
  });
});
