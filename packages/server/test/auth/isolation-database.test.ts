import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { openConnection } from '../../src/db/connect.ts';
import { migrate } from '../../src/db/migrate.ts';
import { setTenant } from '../../src/db/transaction.ts';
import { createIncoming } from '../../src/ingest/merge/copied-rows.ts';
import { createClient } from '../support/client.ts';
import { openSession } from '../support/open-session.ts';
import { findPostgresql, type OwnPostgresql, startPostgresql } from '../support/own-postgresql.ts';
import { record, without } from '../support/records.ts';
import { createSecondTenant, type SecondTenant } from '../support/second-tenant.ts';
import { type Service, startEmbeddedService } from '../support/service.ts';

const TENANT_TABLES = ['findings', 'ingestions', 'users', 'api_keys'];

/** Statements that would let a session read other tenants' data. */
const ESCAPES = [
  'set role postgres',
  'set session authorization postgres',
  'alter table findings disable row level security',
  'alter table findings no force row level security',
  'drop policy tenant on findings',
  'create policy mine on findings using (true)',
  'alter policy tenant on findings using (true)',
  'alter table findings owner to current_user',
  'alter role current_user bypassrls',
  'alter role current_user superuser',
  'create role intruder',
  'grant postgres to current_user',
  'create function sluice.see_all() returns bigint language sql security definer return 1',
  `create or replace function sluice.current_tenant() returns uuid language sql return null::uuid`,
  'truncate findings',
  `set session_replication_role = 'replica'`,
  'alter table findings disable trigger all',
  `copy (select 1) to program 'true'`,
  `select pg_read_file('PG_VERSION')`,
  `select pg_ls_dir('.')`,
  'select rolpassword from pg_authid',
] as const;

describe('database sessions', () => {
  let service: Service;
  let second: SecondTenant;
  let session: pg.Client;
  before(async () => {
    service = await startEmbeddedService({ SLUICE_WORKERS: '1' });
    second = await createSecondTenant(service);
    for (const client of [createClient(service.url, service.key), second.client])
      await client.ingest([record(), without('finding_info.uid')], { headers: { 'idempotency-key': 'a' } });
    session = await openSession(service);
    await session.query(createIncoming(false));
  });
  after(async () => {
    await session.end();
    await service.remove();
  });

  /** Runs `work` in a transaction and rolls the transaction back. */
  async function rolledBack(tenantId: string | undefined, work: () => Promise<void>): Promise<void> {
    await session.query('begin');
    try {
      if (tenantId !== undefined) await setTenant(session, tenantId);
      await work();
    } finally {
      await session.query('rollback');
    }
  }

  it("resets a session's tenant after a commit or rollback", async () => {
    for (const end of ['commit', 'rollback']) {
      await session.query('begin');
      await setTenant(session, service.tenantId);
      assert.notEqual((await session.query('select from findings')).rowCount, 0);
      await session.query(end);
      assert.equal((await session.query('select from findings')).rowCount, 0, end);
    }
  });

  it('prevents a session from leaving its role or changing the settings that restrict it', async () => {
    for (const statement of ESCAPES)
      await rolledBack(service.tenantId, async () => {
        await assert.rejects(
          session.query(statement),
          (error) =>
            error instanceof pg.DatabaseError && ['42501', '42809', '0LP01'].includes(error.code ?? ''),
          statement,
        );
      });
    await session.query('reset role');
    await session.query('set role none');
    const { rows } = await session.query('select current_user, session_user');
    assert.deepEqual(rows, [{ current_user: 'sluice_app', session_user: 'sluice_app' }]);
  });

  it('defines no function or view that runs with higher privileges than the session', async () => {
    const found = await service.sql(
      `select proname as name from pg_proc where pronamespace = 'sluice'::regnamespace and prosecdef
       union all select relname from pg_class where relnamespace = 'sluice'::regnamespace and relkind in ('v', 'm')`,
    );
    assert.deepEqual(found, []);
  });

  it("empties a worker's temporary tables after a commit or rollback", async () => {
    const remaining = () => session.query('select from incoming');
    for (const end of ['commit', 'rollback']) {
      await session.query('begin');
      await setTenant(session, service.tenantId);
      await session.query('insert into incoming (uid) values ($1)', ['own-finding']);
      assert.equal((await remaining()).rowCount, 1);
      await session.query(end);
      assert.equal((await remaining()).rowCount, 0, end);
    }
  });

  it('reveals nothing about other tenants through unique or foreign key constraints', async () => {
    const [email] = await service.sql<{ email: string }>('select email from users where tenant_id = $1', [
      second.id,
    ]);
    assert.ok(email !== undefined);
    await rolledBack(service.tenantId, async () => {
      const insert = 'insert into users (tenant_id, id, email) values ($1, gen_random_uuid(), $2)';
      assert.equal((await session.query(insert, [service.tenantId, email.email])).rowCount, 1);
    });
    // Foreign keys are checked within the tenant, so another tenant's user is unknown.
    const [user] = await service.sql<{ id: string }>('select id from users where tenant_id = $1', [
      second.id,
    ]);
    const details: (string | undefined)[] = [];
    for (const id of [user?.id, '0198a000-0000-7000-8000-000000000000'])
      await rolledBack(service.tenantId, async () => {
        await assert.rejects(
          session.query(
            `insert into user_roles (tenant_id, user_id, role_id) select $1, $2, id from roles limit 1`,
            [service.tenantId, id],
          ),
          (error) => {
            assert.ok(error instanceof pg.DatabaseError);
            details.push(`${error.code} ${error.message} ${error.detail?.replaceAll(id ?? '', '{id}')}`);
            return error.code === '23503';
          },
        );
      });
    assert.equal(details[0], details[1]);
  });
});

const programs = await findPostgresql();

describe('a session on an external PostgreSQL server', {
  skip: programs === undefined && 'requires PostgreSQL 15 or newer in /usr/lib/postgresql',
}, () => {
  let postgresql: OwnPostgresql;
  before(async () => {
    postgresql = await startPostgresql(programs ?? '');
    await postgresql.sql('postgres', "create role findings_owner login password 'of-the-owner'");
    await postgresql.sql('postgres', 'create database of_superuser');
    await postgresql.sql('postgres', 'create database of_owner owner findings_owner');
  });
  after(() => postgresql.remove());

  for (const [roleName, url] of [
    ['a superuser', () => postgresql.url('of_superuser')],
    ['a role that owns its database', () => postgresql.url('of_owner', 'findings_owner', 'of-the-owner')],
  ] as const) {
    it(`applies row level security to a session that connects as ${roleName}, and returns no rows without a tenant`, async () => {
      const { database } = await migrate(url());
      const session = await openConnection(database, { applicationName: 'test' });
      try {
        const bound = 'select rolsuper or rolbypassrls as free from pg_roles where rolname = current_user';
        assert.deepEqual((await session.query(bound)).rows, [{ free: false }]);
        const tenant = '0198a000-0000-7000-8000-000000000000';
        await session.query('begin');
        await setTenant(session, tenant);
        await session.query(
          "insert into tenants (tenant_id, name, subscription) values ($1, 'one', 'active')",
          [tenant],
        );
        await session.query('commit');
        assert.equal((await session.query('select from tenants')).rowCount, 0);
        for (const table of TENANT_TABLES) {
          const active = await session.query('select row_security_active($1::regclass) as active', [
            `sluice.${table}`,
          ]);
          assert.deepEqual(active.rows, [{ active: true }], table);
        }
      } finally {
        await session.end();
      }
    });
  }
});
