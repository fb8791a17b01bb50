import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Database, openConnection, SYSTEM_ID } from '../../src/db/connect.ts';
import { distribute } from '../../src/db/distribute.ts';
import { createFirstTenant } from '../../src/process/first-start.ts';
import { withPool } from '../support/administration.ts';
import { type CitusDatabase, createCitusDatabase, getCitusSkipReason, onNode } from '../support/citus.ts';
import { type Client, createClient } from '../support/client.ts';
import { createSandbox } from '../support/sandbox.ts';
import type { Service } from '../support/service.ts';
import { until } from '../support/until.ts';

const CONNECTION = { applicationName: 'sluice test' };
/** Sessions of a process that read. */
const SESSIONS = `select from pg_stat_activity
  where datname = current_database() and application_name in ('sluice api', 'sluice reads')`;

describe('reads from a distributed database', { skip: getCitusSkipReason() }, () => {
  const sandbox = createSandbox();
  let citus: CitusDatabase;
  let database: Database;
  let dataDir: string;
  before(async () => {
    citus = await createCitusDatabase();
    database = (await distribute(citus.ownerUrl, { shards: 4, log: () => {} })).database;
    dataDir = await sandbox.newDataDir();
  });
  after(async () => {
    await sandbox.clear();
    await citus?.remove();
  });

  const start = async (): Promise<{ service: Service; client: Client; tenantId: string }> => {
    const args = ['--role', 'api'];
    const service = await sandbox.startService({ DATABASE_URL: citus.ownerUrl }, dataDir, args);
    const { tenantId, key } = await withPool(database, createFirstTenant);
    return { service, client: createClient(service.url, key), tenantId };
  };
  /** The number of sessions on each worker. */
  const sessionsOnWorkers = async () =>
    await Promise.all(citus.workers.map(async (url) => (await onNode(url, SESSIONS)).length));
  const portOf = (tenantId: string) =>
    onNode<{ port: number }>(
      citus.url,
      `select nodeport as port from citus_shards
       where shardid = get_shard_id_for_distribution_column('sluice.tenants', $1::uuid)`,
      [tenantId],
    );
  const read = async (client: Client) => {
    const { status, body } = await client.get('/findings');
    assert.equal(status, 200, JSON.stringify(body.errors));
  };

  it('reads findings in sessions on the node of their tenant', async () => {
    const { service, client, tenantId } = await start();
    const [node] = await portOf(tenantId);
    const expected = citus.workers.map((url) => (Number(new URL(url).port) === node?.port ? 2 : 0));
    await until(async () => {
      await read(client);
      return (await sessionsOnWorkers()).some((count) => count === 2);
    });
    await read(client);
    assert.deepEqual(await sessionsOnWorkers(), expected);
    assert.equal(service.output.stderr, '');
    await service.end();
    await until(async () => (await sessionsOnWorkers()).every((count) => count === 0));
  });

  it('reads findings through the coordinator while the process cannot log in on the nodes', async () => {
    const role = new URL(citus.ownerUrl).username;
    const setLogin = async (login: 'login' | 'nologin') => {
      for (const worker of citus.workers)
        await onNode(worker, `set citus.enable_ddl_propagation to off; alter role ${role} ${login}`);
    };
    await setLogin('nologin');
    try {
      const { service, client } = await start();
      const warning =
        /"node":"127\.0\.0\.1:\d+",.*is not permitted to log in.*"no connection to a node could be opened/;
      await until(async () => {
        await read(client);
        return warning.test(service.output.stderr);
      });
      await read(client);
      assert.deepEqual(await sessionsOnWorkers(), [0, 0]);
      await service.end();
    } finally {
      await setLogin('login');
    }
  });

  it('refuses to use a server whose system identifier is not that of the node', async () => {
    const [first = '', second = ''] = citus.workers;
    const [server] = await onNode<{ id: string }>(first, SYSTEM_ID);
    const open = async (url: string) => {
      const { hostname, port } = new URL(url);
      const address = { host: hostname, port: Number(port), systemId: server?.id ?? '' };
      await (await openConnection({ ...database, server: address }, CONNECTION)).end();
    };
    await open(first);
    await assert.rejects(open(second), /is a different server for this process than for the coordinator/);
  });
});
