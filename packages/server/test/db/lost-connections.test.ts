import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { createPool, type Database, openConnection } from '../../src/db/connect.ts';
import { createSandbox } from '../support/sandbox.ts';
import type { Service } from '../support/service.ts';
import { until } from '../support/until.ts';

describe('idle database connections that break', () => {
  const sandbox = createSandbox();
  let service: Service;
  let database: Database;
  before(async () => {
    service = await sandbox.startService({ SLUICE_WORKERS: '1' });
    database = { url: service.databaseUrl, role: undefined };
  });
  after(() => sandbox.clear());

  /** An `error` event without a listener would terminate the test process. */
  const assertLossTolerated = async (client: pg.ClientBase) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const closed = new Promise((resolve) => client.once('end', resolve));
    await service.sql('select pg_terminate_backend($1)', [rows[0]?.pid]);
    await closed;
    await until(async () =>
      client.query('select').then(
        () => false,
        () => true,
      ),
    );
  };

  it('keeps the process running when a dedicated idle connection breaks', async () => {
    const client = await openConnection(database, { applicationName: 'test' });
    await assertLossTolerated(client);
    await client.end();
  });

  it('reports a broken idle connection in a pool, and reconnects', async () => {
    const errors: Error[] = [];
    const pool = createPool(database, { applicationName: 'test', max: 1 }, (error) => errors.push(error));
    const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
    await service.sql('select pg_terminate_backend($1)', [rows[0]?.pid]);
    await until(async () => errors.length > 0);
    assert.match(errors[0]?.message ?? '', /terminating connection/);
    await pool.query('select');
    await pool.end();
  });

  it('keeps the process running when a connection breaks while the pool is being closed', async () => {
    const pool = createPool(database, { applicationName: 'test', max: 1 });
    const client = await pool.connect();
    client.release();
    await pool.end();
    // The server may send this error after `end`, which does not wait for the connection to close.
    client.emit('error', new Error('terminating connection due to administrator command'));
  });

  it('keeps the process running when a connection from a pool breaks', async () => {
    const pool = createPool(database, { applicationName: 'test', max: 1 });
    const client = await pool.connect();
    await assertLossTolerated(client);
    client.release(true);
    await pool.end();
  });
});
