import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { setTenant } from '../../src/db/transaction.ts';
import { type Client, createClient } from '../support/client.ts';
import { describeSchema } from '../support/describe-schema.ts';
import { openSession } from '../support/open-session.ts';
import { record, without } from '../support/records.ts';
import { createSecondTenant, type SecondTenant } from '../support/second-tenant.ts';
import { type Service, startEmbeddedService } from '../support/service.ts';
import { makeEndedWebhook } from '../support/webhook-receiver.ts';

/** Tables that do not belong to a tenant, and the reason for each. */
const GLOBAL = [
  'api_key_prefixes', // read before the tenant of an API key is known; contains only prefixes and IDs
  'blob_store', // describes the blob store that all uploads share
  'finding_backfills', // read across all tenants to backfill the keys of their findings; contains only IDs
  'frame_queue', // read by workers across all tenants; contains only IDs
  'garbage_collection_queue', // read by garbage collection across all tenants; contains only IDs
  'provider_removals', // read across all tenants to remove the data of deleted providers; contains only IDs
  'reread_queue', // read by workers across all tenants; contains only IDs
  'schema_migrations', // describes the schema itself
  'tenant_housekeeping', // read by garbage collection across all tenants; contains only IDs
  'webhook_queue', // read by workers across all tenants; contains only IDs
];
/** The only tables whose keys may start with a column other than the tenant ID. */
const NOT_DISTRIBUTED = ['api_key_prefixes', 'blob_store', 'schema_migrations'];
/**
 * Rows that these requests do not leave behind: counts of the previous layout, totals and trends, to which only many changes are added, the
 * beginning of trends, which only tenants of an earlier release have, and the parts of a dry run, which are removed at its end.
 */
const INSERT_COUNTS = `insert into finding_counts (tenant_id, provider_id, service, severity, status, muted, delta, number, last_seen_at)
  select distinct tenant_id, provider_id, '', severity, status, muted, delta, 0, last_seen_at from findings`;
const INSERT_TOTALS = `insert into finding_totals (tenant_id, grouping, provider_id, check_key, keys, codes, counts)
  select distinct tenant_id, 2, provider_id, 0, array[check_key], array[0::smallint], array[0] from findings on conflict do nothing`;
const INSERT_TRENDS = `
  insert into failing_finding_changes (tenant_id, grouping, provider_id, starts_at, is_day, severities, counts)
    select distinct tenant_id, 3, provider_id, now(), false, array[0::smallint], array[0] from findings on conflict do nothing;
  insert into finding_trend_starts (tenant_id, started_at) select tenant_id, now() from tenants`;
const INSERT_PARTS = `
  insert into dry_run_parts (tenant_id, ingestion_id, frame, finding_ids, times, states, prior_states, record_indexes, record_offsets,
    provider_types, accounts, account_names)
  select tenant_id, id, 0, '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}' from ingestions`;
const TWO_RESOURCES = { finding_info: { uid: 'two' }, resources: [{ uid: 'first' }, { uid: 'second' }] };
const OF_PRODUCT = record({ metadata: { product: { name: 'Scanner' } } });
/**
 * Requests that insert a row into every tenant table, in this order. Add a request for each new table. The access
 * control and audit tables already have rows, which were created with the tenants.
 */
const INSERT_REQUESTS: readonly ((client: Client) => Promise<unknown>)[] = [
  (client) =>
    client.ingest([record({ resources: 'none' }), record(TWO_RESOURCES), without('finding_info.uid')], {
      headers: { 'idempotency-key': 'a' },
    }),
  // The coverage of a completed upload, and that of an upload with an invalid record and a changed finding.
  (client) => client.ingest([OF_PRODUCT], { parts: { coverage: 'account' } }),
  (client) => client.ingest([{ ...OF_PRODUCT, status_code: 'PASS' }, {}], { parts: { coverage: 'account' } }),
  (client) =>
    client.send('/roles', {
      method: 'POST',
      headers: { 'content-type': 'application/vnd.api+json' },
      body: JSON.stringify({ data: { type: 'roles', attributes: { name: 'Nobody', permissions: [] } } }),
    }),
  (client) => makeEndedWebhook(client, { url: 'https://receiver.invalid/' }),
];
const SCHEMA_FILE = new URL('../../schema.sql', import.meta.url);

describe('the database schema', () => {
  let service: Service;
  let second: SecondTenant;
  let tables: string[];
  before(async () => {
    service = await startEmbeddedService({ SLUICE_WORKERS: '1' });
    second = await createSecondTenant(service);
    for (const client of [createClient(service.url, service.key), second.client])
      for (const request of INSERT_REQUESTS) await request(client);
    await service.sql(INSERT_COUNTS);
    await service.sql(INSERT_TOTALS);
    await service.sql(INSERT_PARTS);
    await service.sql(INSERT_TRENDS);
    const rows = await service.sql<{ name: string }>(
      `select relname as name from pg_class
       where relnamespace = 'sluice'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f') order by relname`,
    );
    tables = rows.map(({ name }) => name);
  });
  after(() => service.remove());

  const isolated = () => tables.filter((name) => !GLOBAL.includes(name));

  /** Runs the work in a session configured like those of requests and workers, in a transaction that is rolled back. */
  async function inSession<Result>(
    tenantId: string | undefined,
    work: (session: pg.Client) => Promise<Result>,
  ): Promise<Result> {
    const session = await openSession(service);
    try {
      await session.query('begin');
      if (tenantId !== undefined) await setTenant(session, tenantId);
      return await work(session);
    } finally {
      await session.end();
    }
  }

  it('creates the database schema that schema.sql describes', async () => {
    const schema = await describeSchema(service.sql);
    if (process.env.UPDATE_SCHEMA === '1') await writeFile(SCHEMA_FILE, schema);
    assert.equal(await readFile(SCHEMA_FILE, 'utf8'), schema);
  });

  it('has a primary key in every table, and tenant_id as the first column of every unique key in tenant tables', async () => {
    const keys = await service.sql<{ table: string; primary: boolean; first: string }>(
      `select c.relname as table, i.indisprimary as primary, pg_get_indexdef(i.indexrelid, 1, true) as first
       from pg_index i join pg_class c on c.oid = i.indrelid
       where c.relnamespace = 'sluice'::regnamespace and (i.indisunique or i.indisexclusion)`,
    );
    const withKey = keys.filter(({ primary }) => primary).map(({ table }) => table);
    assert.deepEqual(withKey.sort(), tables);
    const otherTables = keys.filter(({ first }) => first !== 'tenant_id').map(({ table }) => table);
    assert.deepEqual(otherTables, NOT_DISTRIBUTED);
  });

  it('has no block range index, which can lack rows (docs/decisions/0098-no-block-range-index.md)', async () => {
    const methods = await service.sql<{ method: string }>(
      `select distinct a.amname as method from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
       where c.relnamespace = 'sluice'::regnamespace order by method`,
    );
    assert.deepEqual(methods, [{ method: 'btree' }, { method: 'hash' }]);
  });

  it('includes tenant_id in every foreign key', async () => {
    const references = await service.sql<{ name: string; from: string; to: string }>(
      `select k.conname as name, a.attname as from, b.attname as to
       from pg_constraint k
       join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
       join pg_attribute b on b.attrelid = k.confrelid and b.attnum = k.confkey[1]
       where k.connamespace = 'sluice'::regnamespace and k.contype = 'f'`,
    );
    assert.ok(references.length > 0);
    for (const { name, from, to } of references)
      assert.deepEqual([from, to], ['tenant_id', 'tenant_id'], name);
  });

  it('forces row level security with a policy on every table except the global tables', async () => {
    const rows = await service.sql<{ name: string; enabled: boolean; forced: boolean; policies: number }>(
      `select relname as name, relrowsecurity as enabled, relforcerowsecurity as forced,
         (select count(*)::int from pg_policy where polrelid = c.oid) as policies
       from pg_class c where relnamespace = 'sluice'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')`,
    );
    const unprotected = rows.filter(({ enabled, forced, policies }) => !enabled || !forced || policies === 0);
    assert.deepEqual(unprotected.map(({ name }) => name).sort(), GLOBAL);
    assert.deepEqual(
      GLOBAL.filter((name) => !tables.includes(name)),
      [],
    );
  });

  it('connects as a role that is subject to row level security and owns no tables', async () => {
    const { rows } = await inSession(undefined, (session) =>
      session.query(
        `select current_user as name, rolsuper, rolbypassrls, rolcreaterole, rolcanlogin,
           (select count(*)::int from pg_class
            where relowner = r.oid and relnamespace = 'sluice'::regnamespace) as owns,
           (select count(*)::int from pg_auth_members where member = r.oid) as memberships
         from pg_roles r where rolname = current_user`,
      ),
    );
    assert.deepEqual(rows, [
      {
        name: 'sluice_app',
        rolsuper: false,
        rolbypassrls: false,
        rolcreaterole: false,
        // The service logs in as this role, because a superuser session could switch back.
        rolcanlogin: true,
        owns: 0,
        memberships: 0,
      },
    ]);
  });

  it('writes the rows of requests and workers as the sluice_app role', async (t) => {
    const written = ['ingestions', 'findings'];
    for (const table of written)
      await service.sql(`alter table ${table} add column written_by text default current_user`);
    t.after(async () => {
      for (const table of written) await service.sql(`alter table ${table} drop column written_by`);
    });
    const { id } = await createClient(service.url, service.key).ingest([
      record({ finding_info: { uid: 'written-rows' } }),
    ]);
    assert.deepEqual(
      await service.sql(
        `select i.written_by as request, f.written_by as worker
         from ingestions i join findings f on f.ingestion_id = i.id where i.id = $1`,
        [id],
      ),
      [{ request: 'sluice_app', worker: 'sluice_app' }],
    );
    await service.sql(INSERT_TOTALS);
  });

  it('prevents a session without a tenant from reading and writing tenant rows', async () => {
    assert.ok(isolated().length > 10);
    await inSession(undefined, async (session) => {
      for (const table of isolated()) {
        const [some] = await service.sql<{ row: string }>(
          `select to_json(t)::text as row from ${table} t limit 1`,
        );
        assert.ok(some !== undefined, `${table} is empty: add a request to FILLS`);
        for (const statement of [
          `select from ${table}`,
          `update ${table} set tenant_id = tenant_id`,
          `delete from ${table}`,
        ])
          assert.equal((await session.query(statement)).rowCount, 0, statement);
        const columns = (await columnsOf(table)).join(', ');
        const copy = `insert into ${table} (${columns}) select ${columns} from json_populate_record(null::${table}, $1)`;
        await assertRejectedByPolicy(session, copy, [some.row]);
      }
    });
  });

  it("prevents a tenant from reading or deleting another tenant's rows", async () => {
    await inSession(service.tenantId, async (session) => {
      for (const table of isolated()) {
        const { rows } = await session.query(`select distinct tenant_id from ${table}`);
        assert.deepEqual(rows, [{ tenant_id: service.tenantId }], table);
        const { rowCount } = await session.query(`delete from ${table} where tenant_id = $1`, [second.id]);
        assert.equal(rowCount, 0, table);
      }
    });
  });

  it('prevents a tenant from inserting rows for another tenant or moving rows to another tenant', async () => {
    await inSession(service.tenantId, async (session) => {
      for (const table of isolated()) {
        const columns = await columnsOf(table);
        const copy = columns.map((name) => (name === '"tenant_id"' ? '$1::uuid' : name)).join(', ');
        for (const statement of [
          `insert into ${table} (${columns.join(', ')}) select ${copy} from ${table} limit 1`,
          `update ${table} set tenant_id = $1`,
        ]) {
          await assertRejectedByPolicy(session, statement, [second.id]);
        }
      }
    });
  });

  it('lets a session without a tenant read only the API key whose prefix the session sets', async () => {
    const prefix = service.key.split('.')[0];
    await inSession(undefined, async (session) => {
      await session.query(`select set_config('sluice.api_key_prefix', $1, true)`, [prefix]);
      assert.deepEqual((await session.query('select prefix from api_keys')).rows, [{ prefix }]);
      assert.equal((await session.query('select from users')).rowCount, 0);
      assert.equal((await session.query('update api_keys set revoked_at = now()')).rowCount, 0);
    });
  });

  /** Asserts the rejection within a savepoint, so that the transaction remains usable. */
  async function assertRejectedByPolicy(session: pg.Client, statement: string, values: readonly unknown[]) {
    await session.query('savepoint attempt');
    await assert.rejects(
      session.query(statement, [...values]),
      (error) => error instanceof pg.DatabaseError && /row-level security policy/.test(error.message),
      statement,
    );
    await session.query('rollback to savepoint attempt');
  }

  /** The quoted names of writable columns. */
  async function columnsOf(table: string): Promise<string[]> {
    const rows = await service.sql<{ name: string }>(
      `select format('"%s"', attname) as name from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
      [`sluice.${table}`],
    );
    return rows.map(({ name }) => name);
  }
});
