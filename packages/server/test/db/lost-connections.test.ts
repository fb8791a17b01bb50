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

  /** An `error` that nobody listens to would end the process of this test. */
  const assertOutlived = async (client: pg.ClientBase) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const gone = new Promise((resolve) => client.once('end', resolve));
    await service.sql('select pg_terminate_backend($1)', [rows[0]?.pid]);
    await gone;
    await until(async () =>
      client.query('select').then(
        () => false,
        () => true,
      ),
    );
  };

  it('keeps the process running when its own idle connection breaks', async () => {
    const client = await openConnection(database, { applicationName: 'test' });
    await assertOutlived(client);
    await client.end();
  });

  it('reports an idle pooled connection that breaks, and connects again', async () => {
    const lost: Error[] = [];
    const pool = createPool(database, { applicationName: 'test', max: 1 }, (error) => lost.push(error));
    const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
    await service.sql('select pg_terminate_backend($1)', [rows[0]?.pid]);
    await until(async () => lost.length > 0);
    assert.match(lost[0]?.message ?? '', /terminating connection/);
    await pool.query('select');
    await pool.end();
  });

  it('keeps the process running when a connection breaks that the end of its pool is closing', async () => {
    const pool = createPool(database, { applicationName: 'test', max: 1 });
    const client = await pool.connect();
    client.release();
    await pool.end();
    // As the server's last word to a connection: `end` does not wait until it is closed.
    client.emit('error', new Error('terminating connection due to administrator command'));
  });

  it('keeps the process running when a pooled connection breaks', async () => {
    const pool = createPool(database, { applicationName: 'test', max: 1 });
    const client = await pool.connect();
    await assertOutlived(client);
    client.release(true);
    await pool.end();
  });
});
