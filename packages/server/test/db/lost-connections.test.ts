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

  it('keeps the process running when a pooled connection breaks', async () => {
    const pool = createPool(database, { applicationName: 'test', max: 1 });
    const client = await pool.connect();
    await assertOutlived(client);
    client.release(true);
    await pool.end();
  });
});
