import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { migrationNames } from '../../src/db/schema-state.ts';
import { type CitusDatabase, createCitusDatabase, getCitusSkipReason, onNode } from '../support/citus.ts';
import { SESSIONS } from '../support/database-activity.ts';
import { createEmptyDatabase } from '../support/run-cluster.ts';
import { createSandbox } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

const LAST = '0032-distribution.sql';
const DISTRIBUTED = { tables: 36, shards: 4, nodes: 2 };

describe('sluice migrate --distribute', { skip: getCitusSkipReason() }, () => {
  const sandbox = createSandbox();
  let citus: CitusDatabase;
  before(async () => {
    citus = await createCitusDatabase();
  });
  after(async () => {
    await sandbox.clear();
    await citus.remove();
  });

  const sluice = async (args: readonly string[], url = citus.url) =>
    await sandbox.sluice(await sandbox.newDataDir(), args, { DATABASE_URL: url });
  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await sluice([...args, '--json']);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  };
  const errorOf = async (args: readonly string[], url?: string) => {
    const { code, stdout, stderr } = await sluice(args, url);
    assert.deepEqual([code, stdout], [1, ''], stderr);
    return stderr;
  };

  it('refuses a database without the extension, a worker, and a number of shards without --distribute', async () => {
    const [worker = ''] = citus.workers;
    assert.match(
      await errorOf(['migrate', '--distribute'], await createEmptyDatabase()),
      /no Citus extension/,
    );
    for (const args of [['migrate', '--distribute'], ['migrate'], ['serve']])
      assert.match(await errorOf(args, worker), /points to a worker node of a Citus cluster/);
    for (const args of [
      ['migrate', '--shards', '4'],
      ['migrate', '--distribute', '--shards', '0'],
      ['migrate', '--distribute', '--status'],
    ])
      assert.equal((await sluice(args)).code, 2, args.join(' '));
  });

  it('refuses to run beside other processes of Sluice', async () => {
    const other = new pg.Client({ connectionString: citus.url, application_name: 'sluice worker' });
    await other.connect();
    try {
      assert.match(
        await errorOf(['migrate', '--distribute']),
        /use the database \(sluice worker\); stop them/,
      );
    } finally {
      await other.end();
    }
    // The server ends the session some time after the client has closed the connection.
    const session = `select from ${SESSIONS} where application_name = 'sluice worker'`;
    await until(async () => (await onNode(citus.url, session)).length === 0);
  });

  it('creates and distributes the tables of an empty database, despite a concurrent change, and has nothing to do the second time', async () => {
    // The first attempt fails like that of two databases that change the privileges of a role on a node.
    await onNode(
      citus.url,
      `create sequence public.attempts;
       create function public.fail_once() returns event_trigger language plpgsql as $$ begin
         if current_query() like 'alter table % no force row level security' and nextval('public.attempts') = 1 then
           raise exception 'tuple concurrently updated' using errcode = 'XX000';
         end if;
       end $$;
       create event trigger fail_once on ddl_command_start execute function public.fail_once()`,
    );
    const { code, stdout, stderr } = await sluice(['migrate', '--distribute', '--shards', '4', '--json']);
    const [attempts] = await onNode(citus.url, 'select last_value::int as count from public.attempts');
    assert.equal(attempts?.count, DISTRIBUTED.tables + 1);
    await onNode(
      citus.url,
      'drop event trigger fail_once; drop function public.fail_once; drop sequence public.attempts',
    );
    assert.equal(code, 0, stderr);
    assert.deepEqual(JSON.parse(stdout), { applied: await migrationNames(), distributed: DISTRIBUTED });
    assert.match(stderr, /^distributing tenants: 1 of 36 tables$/m);
    assert.match(stderr, /: 36 of 36 tables\n$/);
    const again = await sluice(['migrate', '--distribute']);
    assert.deepEqual(
      [again.stdout, again.stderr],
      ['The schema is up to date.\ndistributed  36 tables, 4 shards, 2 nodes\n', ''],
    );
    const { applied, ...rest } = await json('migrate', '--status');
    assert.equal(applied.length, (await migrationNames()).length);
    assert.deepEqual(rest, { pending: [], unknown: [], changed: [], distributed: DISTRIBUTED });
  });

  it('stores all rows of a tenant on one node, and leaves no table with forced row level security', async () => {
    const groups = await onNode(
      citus.url,
      `select count(distinct colocationid)::int as count from pg_dist_partition where partmethod = 'h'`,
    );
    assert.deepEqual(groups, [{ count: 1 }]);
    for (const node of [citus.url, ...citus.workers]) {
      const forced = await onNode(
        node,
        `select relname from pg_class where relforcerowsecurity and relnamespace = 'sluice'::regnamespace`,
      );
      assert.deepEqual(forced, []);
    }
  });

  it('refuses another number of shards', async () => {
    assert.match(
      await errorOf(['migrate', '--distribute', '--shards', '8']),
      /already have 4 shards; the number of shards cannot be changed/,
    );
  });

  it('continues after an interruption; until then, other commands refuse the database', async () => {
    await onNode(citus.url, `select undistribute_table('sluice.garbage_collection_queue')`);
    for (const args of [['serve'], ['migrate'], ['tenant', 'create', 'Acme']])
      assert.match(
        await errorOf(args),
        /only partly distributed: garbage_collection_queue remain; to continue, run: sluice migrate --distribute/,
      );
    assert.match(
      (await sluice(['migrate', '--status'])).stdout,
      /^distributed {2}35 of 36 tables, 4 shards/m,
    );
    // Another database of the cluster is being prepared.
    const other = new pg.Client({ connectionString: citus.url.replace(/[^/]+$/, 'postgres') });
    await other.connect();
    try {
      await other.query('begin; alter role sluice_app login');
      const distributed = json('migrate', '--distribute');
      const waiting = `select from ${SESSIONS} where application_name = 'sluice migrate' and wait_event_type = 'Lock'`;
      await until(async () => (await onNode(citus.url, waiting)).length > 0);
      await other.query('commit');
      assert.deepEqual(await distributed, { applied: [], distributed: DISTRIBUTED });
    } finally {
      await other.end();
    }
  });

  it('applies a later migration to a distributed database', async () => {
    await onNode(citus.url, 'drop table sluice.api_key_prefixes');
    await onNode(citus.url, 'delete from sluice.schema_migrations where name = $1', [LAST]);
    assert.deepEqual(await json('migrate'), { applied: [LAST], distributed: DISTRIBUTED });
  });

  it('refuses sessions that own a distributed table', async () => {
    await onNode(citus.url, 'alter table sluice.users owner to sluice_app');
    assert.match(
      await errorOf(['tenant', 'create', 'Acme']),
      /sluice_app owns tables and is therefore exempt/,
    );
  });

  it('refuses a database whose findings have the previous layout', async () => {
    const previous = await createCitusDatabase();
    try {
      const { code, stderr } = await sluice(['migrate'], previous.url);
      assert.equal(code, 0, stderr);
      await onNode(previous.url, 'set search_path = sluice; call use_previous_layout()');
      assert.match(
        await errorOf(['migrate', '--distribute'], previous.url),
        /a database that an earlier release created cannot be distributed/,
      );
    } finally {
      await previous.remove();
    }
  });
});
