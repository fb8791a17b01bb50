import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { APP_ROLE, createPool } from '../../src/db/connect.ts';
import { DatabaseUnavailable } from '../../src/db/database-errors.ts';
import { asTenant, readAsTenant } from '../../src/db/transaction.ts';
import { type FailingStatements, startFailingStatements } from '../support/failing-statements.ts';
import { createMigratedDatabase, dropDatabase } from '../support/run-cluster.ts';

describe('a transaction that can be neither committed nor rolled back', () => {
  let databaseUrl: string;
  let proxy: FailingStatements;
  let pool: pg.Pool;
  before(async () => {
    databaseUrl = await createMigratedDatabase();
    proxy = await startFailingStatements(databaseUrl);
    pool = createPool({ url: proxy.url, role: APP_ROLE }, { applicationName: 'sluice test', max: 1 });
  });
  after(async () => {
    await pool.end();
    await proxy.stop();
    await dropDatabase(databaseUrl);
  });

  const tenantId = randomUUID();
  const divide = async (client: Pick<pg.ClientBase, 'query'>) => await client.query('select 1 / 0');
  const tenantOfSession = async () =>
    (await pool.query(`select coalesce(current_setting('sluice.tenant_id', true), '') as id`)).rows;

  for (const [name, run] of Object.entries({ asTenant, readAsTenant })) {
    it(`closes the connection instead of returning it to the pool if the rollback of ${name} fails`, async () => {
      await tenantOfSession();
      proxy.counts = (text) => text === 'rollback';
      await proxy.arm(1);
      await assert.rejects(run(pool, tenantId, divide), DatabaseUnavailable);
      assert.notEqual((await proxy.disarm()).failed, undefined);
      assert.deepEqual(await tenantOfSession(), [{ id: '' }]);
    });

    it(`rolls back ${name} if the tenant cannot be set`, async () => {
      await tenantOfSession();
      proxy.counts = (text) => text.startsWith('begin');
      await proxy.arm(1);
      await assert.rejects(run(pool, tenantId, divide), DatabaseUnavailable);
      assert.notEqual((await proxy.disarm()).failed, undefined);
      assert.deepEqual(await tenantOfSession(), [{ id: '' }]);
    });
  }
});
