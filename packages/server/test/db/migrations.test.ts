import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { migrate } from '../../src/db/migrate.ts';
import { scanId } from '../../src/ingest/merge/scans.ts';
import { derivedId } from '../../src/lib/derived-id.ts';
import { MIGRATIONS, migratedBefore } from '../support/migrated-before.ts';
import { assertTruePreviousCounts } from '../support/true-counts.ts';
import { until } from '../support/until.ts';

const COUNTS = '0008-counts.sql';
const FUTURE_TIMES = '0016-future-times.sql';
const ACCOUNTS = '0017-normalized-accounts.sql';
const READ_FINDINGS = '0018-read-findings.sql';
const DIRECT_POLICIES = '0025-direct-policies.sql';
const DUE_GARBAGE_COLLECTION = '0022-due-garbage-collection.sql';

describe('migrating a database in use', () => {
  it('counts the existing findings of every tenant when a database in use is migrated', async (t) => {
    const { client, url } = await migratedBefore(t, COUNTS);
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
    await assertTruePreviousCounts({ sql });
    const { rows } = await client.query(
      'select sum(number)::int as number from finding_counts group by tenant_id',
    );
    assert.deepEqual(rows, [{ number: 100 }, { number: 100 }]);
  });
});

describe('migrating a database with statistics of tenants', () => {
  it('removes them, and collects no more', async (t) => {
    const { client, url } = await migratedBefore(t, DIRECT_POLICIES);
    await client.query(
      `insert into tenants (tenant_id, name, subscription)
       select gen_random_uuid(), 'Tenant', 'active' from generate_series(1, 20)`,
    );
    const analyze = async () => {
      await client.query('analyze');
      const { rows } = await client.query(
        `select distinct tablename from pg_stats natural join pg_policies
         where schemaname = 'sluice' and policyname = 'tenant' and attname = 'tenant_id'`,
      );
      return rows;
    };
    assert.ok((await analyze()).some(({ tablename }) => tablename === 'tenants'));
    await migrate(url);
    assert.deepEqual(await analyze(), []);
    const { rows } = await client.query(
      `select relname from pg_class join pg_attribute on attrelid = pg_class.oid
       where attname = 'tenant_id' and relnamespace = 'sluice'::regnamespace and relrowsecurity
         and attstattarget is distinct from 0`,
    );
    assert.deepEqual(rows, []);
  });

  it('locks one table at a time to remove statistics', async (t) => {
    const { client, url } = await migratedBefore(t, DIRECT_POLICIES);
    await client.query('begin; lock table tenants in access share mode');
    const migration = migrate(url);
    const waiting = await until(async () => {
      const { rows } = await client.query(
        `select pid from pg_locks where relation = 'tenants'::regclass and not granted`,
      );
      return rows[0];
    });
    const { rows } = await client.query(
      `select relation::regclass::text from pg_locks
       where pid = $1 and granted and locktype = 'relation' and mode = 'AccessExclusiveLock'`,
      [waiting.pid],
    );
    assert.deepEqual(rows, []);
    await client.query('rollback');
    await migration;
  });
});

describe('migrating future finding times', () => {
  it('replaces finding times that are later than the upload with the upload time, and keeps all other times', async (t) => {
    const { client, url } = await migratedBefore(t, FUTURE_TIMES);
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

describe('migrating accounts to a normalized form', () => {
  it('merges the providers, findings and scans of differently spelled accounts', async (t) => {
    const { client, url } = await migratedBefore(t, ACCOUNTS);
    const subscription = 'a1b2c3d4-0000-4000-8000-0123456789ab';
    const accounts = [
      ['azure', subscription],
      ['azure', subscription.toUpperCase()],
      ['azure', `\u200b${subscription}\u00a0`],
      ['aws', 'caf\u00e9'],
      ['aws', 'cafe\u0301'],
      ['az\u00adure', 'Named'],
      ['github', 'Acme'],
      ['github', 'acme'],
    ] as const;
    await client.query(
      `insert into tenants (tenant_id, name, subscription) values (gen_random_uuid(), 'Tenant', 'active');
       insert into ingestions (tenant_id, id, received_bytes, bytes, total, frames, requested_at, api_key_id)
         select tenant_id, tenant_id, 1, 1, 1, 1, '2026-01-02', tenant_id from tenants;
       alter table findings disable trigger user`,
    );
    const [tenant] = (await client.query<{ id: string }>('select tenant_id as id from tenants')).rows;
    const tenantId = tenant?.id ?? '';
    for (const [at, [type, account]] of accounts.entries()) {
      const id = `00000000-0000-4000-8000-00000000000${at}`;
      await client.query(
        `insert into providers (tenant_id, id, type, account, created_at) values ($1, $2, $3, $4, now() + $5::int * interval '1 s')`,
        [tenantId, id, type, account, at],
      );
      await client.query(
        `insert into checks (tenant_id, provider_type, check_id, "references", categories, seen_at)
         values ($1, $2, 'c', '{}', '{}', now()) on conflict do nothing`,
        [tenantId, type],
      );
      const scan = [tenantId, scanId(tenantId, id, null), id];
      const { rows } = await client.query<{ names: string; zeros: string }>(
        `select string_agg(attname, ', ') as names, string_agg('1', ', ') as zeros from pg_attribute
         where attrelid = 'scans'::regclass and attnum > 0 and atttypid = 'bigint'::regtype`,
      );
      await client.query(
        `insert into scans (tenant_id, id, ingestion_id, provider_id, inserted_at, started_at, ended_at, ${rows[0]?.names})
         values ($1, $2, $1, $3, now(), now(), now(), ${rows[0]?.zeros})`,
        scan,
      );
      for (const uid of ['shared', `own-${at}`]) {
        await client.query(
          `insert into findings (tenant_id, id, provider_id, ingestion_id, record_index, frame, record_offset, record_bytes,
             status, severity, muted, first_seen_at, last_seen_at, status_changed_at, check_id, uid)
           values ($1, $2, $3, $1, $4::int, 0, 0, 0, 'FAIL', 1, false, timestamptz '2026-01-01' + $4::int * interval '1 day',
             timestamptz '2026-01-01' + $4::int * interval '1 day', now(), 'c', $5)`,
          [tenantId, derivedId(id, 'c', uid, ''), id, at, uid],
        );
      }
    }
    await client.query(
      `alter table findings enable trigger user;
       insert into finding_counts (tenant_id, provider_id, service, severity, status, muted, delta, number, last_seen_at)
         select tenant_id, provider_id, '', severity, status, muted, delta, count(*), max(last_seen_at)
         from findings group by tenant_id, provider_id, severity, status, muted, delta`,
    );

    const { applied } = await migrate(url);
    assert.equal(applied[0], ACCOUNTS);
    const sql = async (text: string) => (await client.query(text)).rows;
    const providers = await sql('select type, account from providers order by created_at');
    assert.deepEqual(
      providers.map(({ type, account }) => [type, account]),
      [
        ['azure', subscription],
        ['aws', 'caf\u00e9'],
        ['azure', 'Named'],
        ['github', 'Acme'],
        ['github', 'acme'],
      ],
    );
    const findings = await sql(
      `select p.account, f.uid, f.id, f.provider_id, f.record_index::int as index, f.first_seen_at::date::text as since
       from findings f join providers p on p.id = f.provider_id order by p.created_at, f.uid`,
    );
    assert.deepEqual(
      findings.slice(0, 7).map(({ account, uid, index, since }) => [account, uid, index, since]),
      [
        [subscription, 'own-0', 0, '2026-01-01'],
        [subscription, 'own-1', 1, '2026-01-02'],
        [subscription, 'own-2', 2, '2026-01-03'],
        [subscription, 'shared', 2, '2026-01-01'],
        ['caf\u00e9', 'own-3', 3, '2026-01-04'],
        ['caf\u00e9', 'own-4', 4, '2026-01-05'],
        ['caf\u00e9', 'shared', 4, '2026-01-04'],
      ],
    );
    assert.equal(findings.length, 13);
    for (const { id, provider_id, uid } of findings) assert.equal(id, derivedId(provider_id, 'c', uid, ''));
    await assertTruePreviousCounts({ sql });
    const scans = await sql(
      'select s.id, s.provider_id, s.records::int from scans s join providers p on p.id = s.provider_id order by p.created_at',
    );
    assert.deepEqual(
      scans.map(({ id, records, provider_id }) => [id === scanId(tenantId, provider_id, null), records]),
      [3, 2, 1, 1, 1].map((records) => [true, records]),
    );
    const checks = await sql('select provider_type as type from checks order by 1');
    assert.deepEqual(
      checks.map(({ type }) => type),
      ['aws', 'azure', 'github'],
    );
  });
});

describe('migrating access to findings', () => {
  it('grants read_findings to every role, but not to restricted API keys', async (t) => {
    const { client, url } = await migratedBefore(t, READ_FINDINGS);
    await client.query(
      `insert into tenants (tenant_id, name, subscription) values (gen_random_uuid(), 'Tenant', 'active');
       insert into users (tenant_id, id, email) select tenant_id, tenant_id, 'a@example.com' from tenants;
       insert into roles (tenant_id, id, name, permissions)
         select tenant_id, gen_random_uuid(), 'Role ' || array_length(p, 1), p
         from tenants cross join (values (array['manage_scans']), (array['manage_users', 'manage_account'])) as v (p);
       insert into api_keys (tenant_id, id, user_id, prefix, secret_sha256, permissions)
         select tenant_id, gen_random_uuid(), tenant_id, prefix, '', p from tenants
         cross join (values ('sk_1', null), ('sk_2', '{}'), ('sk_3', array['manage_ingestions'])) as v (prefix, p)`,
    );
    const { applied } = await migrate(url);
    assert.equal(applied[0], READ_FINDINGS);
    const roles = await client.query('select permissions from roles order by name');
    assert.deepEqual(
      roles.rows.map(({ permissions }) => permissions),
      [
        ['manage_scans', 'read_findings'],
        ['manage_users', 'manage_account', 'read_findings'],
      ],
    );
    const keys = await client.query('select permissions from api_keys order by prefix');
    assert.deepEqual(
      keys.rows.map(({ permissions }) => permissions),
      [null, [], ['manage_ingestions']],
    );
  });
});

describe('migrating garbage collection', () => {
  it('grants the restricted role access to the garbage collection queue immediately', async (t) => {
    const { client } = await migratedBefore(t, DUE_GARBAGE_COLLECTION);
    await client.query(await readFile(new URL(DUE_GARBAGE_COLLECTION, MIGRATIONS), 'utf8'));
    const { rows } = await client.query(
      `select has_table_privilege('sluice_app', 'garbage_collection_queue', privilege) as granted
       from unnest(array['select', 'insert', 'update', 'delete']) as privilege`,
    );
    assert.deepEqual(rows, Array(4).fill({ granted: true }));
  });
});
