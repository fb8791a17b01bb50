import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, it, mock } from 'node:test';
import { promisify } from 'node:util';
import { createPool } from '../../src/db/connect.ts';
import { DatabaseUnavailable } from '../../src/db/database-errors.ts';
import { asTenant, queryOnce, readAsTenant } from '../../src/db/transaction.ts';
import { createClient } from '../support/client.ts';
import { createDeployment, createTenantKey } from '../support/deployment.ts';
import { type Relay, startRelay } from '../support/relay.ts';
import { createEmptyDatabase } from '../support/run-cluster.ts';
import { createSandbox } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

const run = promisify(execFile);
const hasSs = await run('ss', ['--version']).then(
  () => true,
  () => false,
);
const TENANT = '00000000-0000-7000-8000-000000000001';
/** Must equal the value in `transaction.ts`. */
const PATIENCE_MS = 60_000;

describe('a database that drops off the network', () => {
  const sandbox = createSandbox();
  let databaseUrl: string;
  let relay: Relay;
  before(async () => {
    databaseUrl = await createEmptyDatabase();
  });
  after(async () => {
    mock.timers.reset();
    await sandbox.clear();
    await relay?.stop();
  });

  it('sends TCP keepalive probes on idle database connections within 15 seconds', {
    skip: !hasSs && 'ss is not installed',
  }, async () => {
    const deployment = await createDeployment(sandbox);
    const api = await deployment.startApi();
    const client = createClient(api.url, await createTenantKey(api));
    await client.get('/providers');
    const filter = `dport = :${new URL(databaseUrl).port}`;
    // After sending data, a connection waits for the acknowledgment before it starts the keepalive timer.
    await until(async () => {
      const { stdout } = await run('ss', ['-tnopH', 'state', 'established', filter]);
      const connections = stdout.split('\n').filter((line) => line.includes(`pid=${api.process.pid},`));
      return (
        connections.length > 0 &&
        connections.every((line) => Number(/timer:\(keepalive,([\d.]+)sec,/.exec(line)?.[1]) <= 15)
      );
    });
  });

  it('closes a database connection when a transaction gets no response for 60 seconds', async () => {
    let isSilent = false;
    relay = await startRelay(databaseUrl, (client, upstream) => {
      client.on('data', (bytes) => isSilent || upstream.write(bytes));
      upstream.on('data', (bytes) => isSilent || client.write(bytes));
    });
    const pool = createPool({ url: relay.url, role: undefined }, { applicationName: 'test', max: 3 });
    // The connections are opened before the clock is mocked, and stay in the pool.
    const borrowed = await Promise.all([pool.connect(), pool.connect(), pool.connect()]);
    for (const client of borrowed) client.release();
    mock.timers.enable({ apis: ['setTimeout'] });
    isSilent = true;
    const select = 'select 1 as one';
    const waiting = [
      asTenant(pool, TENANT, (client) => client.query(select)),
      readAsTenant(pool, TENANT, (client) => client.query(select)),
      queryOnce(pool, select, []),
    ];
    const ended = Promise.allSettled(waiting);
    // The pool hands out connections in separate iterations of the event loop.
    await new Promise(setImmediate);
    mock.timers.tick(PATIENCE_MS - 1);
    assert.equal(pool.totalCount, 3);
    mock.timers.tick(1);
    for (const outcome of await ended) {
      assert.ok(outcome.status === 'rejected' && outcome.reason instanceof DatabaseUnavailable);
    }
    assert.equal(pool.totalCount, 0);
    mock.timers.reset();
    await pool.end();
  });
});
