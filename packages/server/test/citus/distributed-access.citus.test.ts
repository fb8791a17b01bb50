import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { createApiKey, findApiKey, formatApiKey, parseApiKey } from '../../src/auth/api-keys.ts';
import { KeyUsage } from '../../src/auth/key-usage.ts';
import { PERMISSIONS } from '../../src/auth/permissions.ts';
import { APP_ROLE, createPool } from '../../src/db/connect.ts';
import { findMigrated } from '../../src/db/migrate.ts';
import { asTenant, type Queryable, setTenant } from '../../src/db/transaction.ts';
import { type CitusDatabase, createCitusDatabase, getCitusSkipReason, onNode } from '../support/citus.ts';
import { createClient } from '../support/client.ts';
import { createKey, createUser, type Operator } from '../support/operator.ts';
import { record, without } from '../support/records.ts';
import { createSandbox } from '../support/sandbox.ts';
import { makeEndedWebhook } from '../support/webhook-receiver.ts';

const TABLES = `select c.relname as name, c.relrowsecurity as "isIsolated" from pg_dist_partition p
  join pg_class c on c.oid = p.logicalrelid where c.relnamespace = 'sluice'::regnamespace and p.partmethod = 'h' order by 1`;
/** The shards that a node stores. */
const SHARDS = `select format('%I_%s', c.relname, shardid) as name from pg_dist_shard s
  join pg_class c on c.oid = s.logicalrelid join pg_dist_placement p using (shardid)
  where c.relrowsecurity and p.groupid = (select groupid from pg_dist_local_group)`;

/** Number of tables with row level security. */
const ISOLATED = 33;
const SHARDS_PER_TABLE = 4;
/** Tables whose rows change when the others are distributed. */
const CHANGED = ['api_key_prefixes'];

const OF_PRODUCT = { metadata: { event_code: 'check', product: { name: 'Scanner' } } };

interface KnownTenant {
  readonly id: string;
  readonly key: string;
}

describe('a database that was distributed with its data', { skip: getCitusSkipReason() }, () => {
  const sandbox = createSandbox();
  let citus: CitusDatabase;
  let pool: pg.Pool;
  let names: readonly string[];
  let rowsBefore: readonly unknown[];
  let tables: readonly { readonly name: string; readonly isIsolated: boolean }[];
  let tenants: readonly KnownTenant[];
  before(async () => {
    citus = await createCitusDatabase();
    const service = await sandbox.startService({ DATABASE_URL: citus.ownerUrl, SLUICE_WORKERS: '1' });
    tenants = [await createTenant(service, 'Acme'), await createTenant(service, 'Umbrella')];
    for (const { key } of tenants) {
      const client = createClient(service.url, key);
      await client.ingest([record(OF_PRODUCT), without('finding_info.uid')], {
        headers: { 'idempotency-key': 'a' },
        parts: { coverage: 'account' },
      });
      await makeEndedWebhook(client, { url: 'https://receiver.invalid/' });
    }
    await service.end();
    // A frame that is still queued.
    await onNode(
      citus.url,
      `insert into sluice.frame_queue (tenant_id, ingestion_id, number)
       select tenant_id, ingestion_id, number from sluice.frames where tenant_id = $1`,
      [tenants[1]?.id],
    );
    const all = await onNode<{ name: string }>(
      citus.url,
      `select relname as name from pg_class
       where relnamespace = 'sluice'::regnamespace and relkind = 'r' and relname <> all ($1)`,
      [CHANGED],
    );
    names = all.map(({ name }) => name);
    rowsBefore = await readRows();
    const { code, stderr } = await sluice('migrate', '--distribute', '--shards', String(SHARDS_PER_TABLE));
    assert.equal(code, 0, stderr);
    const { database } = await findMigrated(citus.ownerUrl, false);
    pool = createPool(database, { applicationName: 'sluice test', max: 1 });
    tables = await onNode(citus.url, TABLES);
  });
  after(async () => {
    await pool?.end();
    await sandbox.clear();
    await citus?.remove();
  });

  const sluice = async (...args: string[]) =>
    await sandbox.sluice(await sandbox.newDataDir(), args, { DATABASE_URL: citus.ownerUrl });
  const operator: Operator = {
    sluiceJson: async (...args) => {
      const { code, stdout, stderr } = await sluice(...args, '--json');
      assert.equal(code, 0, stderr);
      return JSON.parse(stdout);
    },
  };
  const createTenant = async (by: Operator, name: string): Promise<KnownTenant> => {
    const { id } = await by.sluiceJson<{ id: string }>('tenant', 'create', name);
    await createUser(by, id, 'ada@example.com');
    return { id, key: await createKey(by, id, 'ada@example.com') };
  };
  const readRows = async () => {
    const rows: unknown[] = [];
    for (const name of names)
      rows.push(
        name,
        await onNode(
          citus.url,
          `select to_jsonb(t) - 'done_at' as row from sluice.${name} as t order by row`,
        ),
      );
    return rows;
  };
  const find = async (key: string) => {
    const parsed = parseApiKey(key);
    assert.ok(parsed);
    return await findApiKey(pool, parsed);
  };
  /** The tenants of the rows of a table that this session sees. */
  const tenantsOf = async (session: Queryable, table: string) => {
    const { rows } = await session.query<{ id: string }>(`select tenant_id as id from sluice.${table}`);
    return rows.map(({ id }) => id);
  };
  const deleteRows = async (session: Queryable, table: string, tenant: string) =>
    (await session.query(`delete from sluice.${table} where tenant_id = $1`, [tenant])).rowCount;
  const isolated = () => tables.filter(({ isIsolated }) => isIsolated).map(({ name }) => name);

  it('has the same rows as before, and only in shards', async () => {
    assert.deepEqual(await readRows(), rowsBefore);
    for (const { name } of tables)
      assert.deepEqual(
        await onNode(citus.url, `select pg_relation_size('sluice.${name}')::int as size`),
        [{ size: 0 }],
        name,
      );
  });

  it('knows which frames were done', async () => {
    const done = await onNode<{ id: string }>(
      citus.url,
      'select tenant_id as id from sluice.frames where done_at is not null',
    );
    assert.deepEqual(done, [{ id: tenants[0]?.id }]);
  });

  it('finds API keys from before and after, with their permissions', async () => {
    for (const { id, key } of [...tenants, await createTenant(operator, 'Initech')]) {
      const found = await find(key);
      assert.deepEqual([found?.tenant_id, found?.subscription, found?.revoked_at], [id, 'active', null]);
      assert.deepEqual([...(found?.user_permissions ?? [])].sort(), [...PERMISSIONS].sort());
      const prefix = key.split('.')[0] ?? '';
      assert.equal(await findApiKey(pool, { ...createApiKey(), prefix }), undefined);
    }
    assert.equal(await find(formatApiKey(createApiKey())), undefined);
  });

  it('supports the commands for tenants, subscriptions, users and keys', async () => {
    const { id, key } = await createTenant(operator, 'Hooli');
    const tenant = ['--tenant', id];
    await operator.sluiceJson('subscription', 'set', ...tenant, 'none');
    await operator.sluiceJson(
      'user',
      'set-permissions',
      ...tenant,
      '--email',
      'ada@example.com',
      'manage_scans',
    );
    const found = await find(key);
    assert.deepEqual([found?.subscription, found?.user_permissions], ['none', ['manage_scans']]);
    const prefix = key.split('.')[0] ?? '';
    await operator.sluiceJson('api-key', 'revoke', ...tenant, prefix);
    assert.notEqual((await find(key))?.revoked_at, null);
    const again = await sluice('user', 'create', ...tenant, '--email', 'ADA@example.com');
    assert.match(again.stderr, /the tenant already has a user/);
    const kept = await onNode(citus.url, 'select from sluice.tenant_housekeeping where tenant_id = $1', [id]);
    assert.equal(kept.length, 1);
  });

  it('records when keys of several tenants were last used', async () => {
    const usage = new KeyUsage({ pool, seconds: 3600, onError: (error) => assert.fail(String(error)) });
    for (const { key } of tenants) {
      const found = await find(key);
      usage.record(found?.tenant_id ?? '', found?.key_id ?? '');
    }
    await usage.stop();
    const used = await onNode<{ id: string }>(
      citus.url,
      'select tenant_id as id from sluice.api_keys where last_used_at is not null order by tenant_id',
    );
    assert.deepEqual(
      used.map(({ id }) => id),
      tenants.map(({ id }) => id).sort(),
    );
  });

  it('returns no rows to a session without a tenant, and only the rows of its tenant to any other session', async () => {
    assert.equal(isolated().length, ISOLATED);
    let seen = 0;
    const session = await pool.connect();
    try {
      for (const table of isolated()) assert.deepEqual(await tenantsOf(session, table), [], table);
    } finally {
      session.release();
    }
    for (const { id } of tenants)
      await asTenant(pool, id, async (client) => {
        for (const table of isolated()) {
          const found = await tenantsOf(client, table);
          seen += found.length;
          assert.ok(
            found.every((owner) => owner === id),
            table,
          );
        }
      });
    assert.ok(seen > 2 * 15, `only ${seen} rows`);
  });

  it('isolates tenants in sessions that connect to a worker directly, also when they read its shards', async () => {
    const [own, other] = tenants.map(({ id }) => id);
    assert.ok(own !== undefined && other !== undefined);
    let ownUsers = 0;
    for (const worker of citus.workers) {
      const url = new URL(worker);
      url.username = APP_ROLE;
      const session = new pg.Client({ connectionString: url.href });
      await session.connect();
      try {
        await session.query('set citus.override_table_visibility to off');
        const { rows } = await session.query<{ name: string }>(SHARDS);
        const shards = rows.map(({ name }) => name);
        assert.equal(shards.length, (ISOLATED * SHARDS_PER_TABLE) / 2);
        for (const table of [...isolated(), ...shards])
          assert.deepEqual(await tenantsOf(session, table), [], table);
        await session.query('begin');
        await setTenant(session, own);
        for (const table of [...isolated(), ...shards]) {
          const found = await tenantsOf(session, table);
          assert.ok(
            found.every((owner) => owner === own),
            table,
          );
          if (/^users_/.test(table)) ownUsers += found.length;
          assert.equal(await deleteRows(session, table, other), 0, table);
        }
        await session.query('rollback');
      } finally {
        await session.end();
      }
    }
    assert.equal(ownUsers, 1);
  });
});
