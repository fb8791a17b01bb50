import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { openConnection } from '../../src/db/connect.ts';
import { migrate } from '../../src/db/migrate.ts';
import { setTenant } from '../../src/db/transaction.ts';
import { SESSIONS } from '../support/database-activity.ts';
import { isWholeRun, itInWholeRun } from '../support/is-whole-run.ts';
import { findPostgresql, type OwnPostgresql, startPostgresql } from '../support/own-postgresql.ts';
import { record } from '../support/records.ts';
import { createSandbox } from '../support/sandbox.ts';
import { createSecondTenant, type SecondTenant } from '../support/second-tenant.ts';
import type { Service } from '../support/service.ts';
import { assertTrueCounts } from '../support/true-counts.ts';
import { until } from '../support/until.ts';

const MIGRATIONS = new URL('../../migrations/', import.meta.url);
const programs = await findPostgresql();
const OWNER = 'findings_owner';
const PASSWORD = 'of-the-owner';
/** Tables without tenant data: queues across all tenants, migrations and the blob store ID. */
const GLOBAL = new Set([
  'blob_store',
  'frame_queue',
  'garbage_collection_queue',
  'schema_migrations',
  'tenant_housekeeping',
]);

const CASES = [
  { database: 'of_superuser', role: 'postgres', who: 'a superuser', sessionRole: 'sluice_app' },
  { database: 'of_owner', role: OWNER, who: 'a role that only owns its database', sessionRole: OWNER },
] as const;

describe('external PostgreSQL', {
  skip: programs === undefined && 'requires PostgreSQL 15 or newer in /usr/lib/postgresql',
}, () => {
  const sandbox = createSandbox();
  let postgresql: OwnPostgresql;
  before(async () => {
    postgresql = await startPostgresql(programs ?? '');
    await postgresql.sql('postgres', `create role ${OWNER} login password '${PASSWORD}'`);
    await postgresql.sql('postgres', 'create database of_superuser');
    await postgresql.sql('postgres', `create database of_owner owner ${OWNER}`);
    await postgresql.sql('postgres', 'create database of_somebody_else');
    await postgresql.sql('postgres', 'create database of_options');
    await postgresql.sql('postgres', `create role bypassing login bypassrls password '${PASSWORD}'`);
    await postgresql.sql('postgres', 'create database of_bypassing owner bypassing');
    await postgresql.sql('postgres', 'create database of_old');
    // Makes the server report an old version if `public` is first in the search path.
    await postgresql.sql(
      'of_old',
      `create function public.current_setting(name text) returns text language sql as $$
         select case name when 'server_version_num' then '140009' when 'server_version' then '14.9'
           else pg_catalog.current_setting(name) end $$`,
    );
  });
  after(async () => {
    await sandbox.clear();
    await postgresql.remove();
  });

  for (const { database, role, who, sessionRole } of CASES) {
    /** In a sample, only the recommended role starts a second service. */
    const startsTwice = isWholeRun || role === OWNER;
    describe(`as ${who}`, () => {
      let DATABASE_URL: string;
      let service: Service;
      let tenants: SecondTenant[];
      before(async () => {
        DATABASE_URL = role === OWNER ? postgresql.url(database, OWNER, PASSWORD) : postgresql.url(database);
        const dataDir = await sandbox.newDataDir();
        const [first, second] = await Promise.all([
          sandbox.startService({ DATABASE_URL }, dataDir),
          ...(startsTwice ? [sandbox.startService({ DATABASE_URL }, dataDir)] : []),
        ]);
        await second?.end();
        service = first;
        tenants = await Promise.all([createSecondTenant(service), createSecondTenant(service)]);
      });

      if (startsTwice)
        it('migrates an external database once if two services start at the same time, and creates no tenant', async () => {
          const files = (await readdir(MIGRATIONS)).sort();
          assert.deepEqual(
            await service.sql('select name from schema_migrations order by name'),
            files.map((name) => ({ name })),
          );
          assert.deepEqual(await postgresql.sql(database, 'select count(*)::int from sluice.tenants'), [
            { count: 2 },
          ]);
          assert.equal(service.key, '');
        });

      it('ingests uploads for all tenants', async () => {
        for (const [at, { client }] of tenants.entries()) {
          const job = await client.ingest([record({ cloud: { account: { uid: `account-${at}` } } }), {}]);
          assert.deepEqual(
            [job.attributes.status, job.attributes.summary],
            ['failed', { total: 2, processed: 2, invalid: 1 }],
          );
        }
        const rows = await postgresql.sql(database, 'select count(*)::int from sluice.findings');
        assert.deepEqual(rows, [{ count: 2 }]);
        await assertTrueCounts({ sql: (text) => postgresql.sql(database, text) });
      });

      it('restricts each service session to the rows of one tenant', async () => {
        const { database: known, applied } = await migrate(DATABASE_URL);
        assert.deepEqual(applied, []);
        const session = await openConnection(known, { applicationName: 'test' });
        try {
          const { rows } = await session.query('select current_user as role');
          assert.deepEqual(rows, [{ role: sessionRole }]);

          const [tenant, other] = tenants.map(({ id }) => id);
          const nonEmpty = await tablesWithRows(session, database);
          for (const name of ['findings', 'ingestions', 'providers', 'api_keys', 'tenants', 'users'])
            assert.ok(nonEmpty.includes(name), `${name} is empty`);
          assert.deepEqual(
            await visibleTenants(session, nonEmpty),
            new Map(nonEmpty.map((name) => [name, []])),
          );

          await session.query('begin');
          await setTenant(session, tenant ?? '');
          assert.deepEqual(
            await visibleTenants(session, nonEmpty),
            new Map(nonEmpty.map((name) => [name, [tenant]])),
          );
          const update = "update providers set alias = 'changed' where tenant_id = $1";
          assert.equal((await session.query(update, [tenant])).rowCount, 1);
          assert.equal((await session.query(update, [other])).rowCount, 0);
          await assert.rejects(
            session.query(
              `insert into users (tenant_id, id, email) values ($1, $1, 'intruder@example.com')`,
              [other],
            ),
            { code: '42501' },
          );
        } finally {
          await session.end();
        }
      });

      if (startsTwice)
        it('leaves the external PostgreSQL running on shutdown, and reuses it on the next start', async () => {
          assert.equal(await service.end(), 0);
          assert.deepEqual(await postgresql.sql(database, 'select 1 as alive'), [{ alive: 1 }]);
          service = await sandbox.startService({ DATABASE_URL }, service.dataDir);
          assert.equal(service.output.stdout, `Sluice is ready at ${service.url}\n`);
        });
    });

    /** The tables with tenant rows, as seen by the superuser. */
    const tablesWithRows = async (session: pg.Client, of: string): Promise<string[]> => {
      const { rows } = await session.query<{ name: string }>(
        `select relname as name from pg_class where relnamespace = 'sluice'::regnamespace and relkind = 'r' order by 1`,
      );
      const nonEmpty: string[] = [];
      for (const { name } of rows.filter((row) => !GLOBAL.has(row.name))) {
        const rows = await postgresql.sql(of, `select from sluice.${name} limit 1`);
        if (rows.length > 0) nonEmpty.push(name);
      }
      return nonEmpty;
    };
  }

  /** Returns the tenants whose rows are visible to the session, by table. */
  const visibleTenants = async (session: pg.Client, tables: readonly string[]) => {
    const seen = new Map<string, string[]>();
    for (const table of tables) {
      const { rows } = await session.query<{ id: string }>(`select distinct tenant_id as id from ${table}`);
      seen.set(
        table,
        rows.map(({ id }) => id),
      );
    }
    return seen;
  };

  it('applies the session settings in DATABASE_URL, including the application name, but not the role', async () => {
    const url = new URL(postgresql.url('of_options'));
    url.searchParams.append('options', '-c role=postgres -c search_path=public -c work_mem=5MB');
    url.searchParams.append('application_name', 'a test application');
    const DATABASE_URL = url.href;
    const service = await sandbox.startService({ DATABASE_URL });
    const { client, id } = await createSecondTenant(service);
    assert.equal((await client.ingest([record()])).attributes.status, 'completed');
    await service.end();

    const { database } = await migrate(DATABASE_URL);
    const session = await openConnection(database, { applicationName: 'test' });
    try {
      const { rows } = await session.query(
        `select current_user as role, current_setting('work_mem') as memory, current_setting('application_name') as name`,
      );
      assert.deepEqual(rows, [{ role: 'sluice_app', memory: '5MB', name: 'a test application' }]);
      assert.deepEqual((await session.query('select from findings')).rowCount, 0);
      await session.query('begin');
      await setTenant(session, id);
      assert.deepEqual((await session.query('select from findings')).rowCount, 1);
    } finally {
      await session.end();
    }
  });

  itInWholeRun('prepares a database while another database of the server is being prepared', async () => {
    await migrate(postgresql.url('of_superuser'));
    const DATABASE_URL = postgresql.url('of_second');
    await postgresql.sql('postgres', 'create database of_second');
    await postgresql.sql('postgres', 'revoke sluice_app from postgres');
    const other = new pg.Client({ connectionString: postgresql.url('postgres') });
    await other.connect();
    try {
      await other.query('begin; grant sluice_app to postgres');
      const migrated = sandbox.sluice(await sandbox.newDataDir(), ['migrate'], { DATABASE_URL });
      await until(async () => {
        const waiting = await postgresql.sql(
          'of_second',
          `select from ${SESSIONS} where wait_event_type = 'Lock'`,
        );
        return waiting.length > 0;
      });
      await other.query('commit');
      const { code, stderr } = await migrated;
      assert.equal(code, 0, stderr);
    } finally {
      await other.end();
    }
  });

  it('rejects a database where the session role can bypass row level security', async () => {
    const DATABASE_URL = postgresql.url('of_options');
    await migrate(DATABASE_URL);
    await postgresql.sql('postgres', 'alter role sluice_app bypassrls');
    const { code, stdout, stderr } = await sandbox.sluice(await sandbox.newDataDir(), ['serve'], {
      DATABASE_URL,
    });
    await postgresql.sql('postgres', 'alter role sluice_app nobypassrls');
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^sluice: the database role sluice_app bypasses row level security, [^\n]+\n$/);
  });

  for (const { fault, url, message } of [
    {
      fault: 'with a wrong password',
      url: () => postgresql.url('of_owner', OWNER, 'mistyped-secret'),
      message: /cannot connect to the database .*\/of_owner in DATABASE_URL: password authentication failed/,
    },
    {
      fault: 'whose role cannot create a schema',
      url: () => postgresql.url('of_somebody_else', OWNER, PASSWORD),
      message:
        /cannot prepare the database: permission denied .*; give DATABASE_URL an ordinary role that owns/,
    },
    {
      fault: 'whose server is too old',
      url: () =>
        `${postgresql.url('of_old')}?options=${encodeURIComponent('-c search_path=public,pg_catalog')}`,
      message: /PostgreSQL 14\.9 is too old; Sluice requires version 15 or newer/,
    },
    {
      fault: 'whose role bypasses row level security and cannot create or grant roles',
      url: () => postgresql.url('of_bypassing', 'bypassing', PASSWORD),
      message:
        /cannot prepare the database: .*role.*; as a superuser, run "create role sluice_app" and grant it to/,
    },
  ]) {
    it(`prints a one-line error for a DATABASE_URL ${fault}`, async () => {
      const dataDir = await sandbox.newDataDir();
      const { code, stdout, stderr } = await sandbox.sluice(dataDir, ['serve'], { DATABASE_URL: url() });
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, /^sluice: [^\n]+\n$/);
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, /mistyped-secret|of-the-owner/);
    });
  }
});
