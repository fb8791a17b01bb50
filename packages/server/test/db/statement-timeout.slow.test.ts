import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createClient } from '../support/client.ts';
import { record } from '../support/records.ts';
import { createMigratedDatabase } from '../support/run-cluster.ts';
import { createSandbox } from '../support/sandbox.ts';
import { createSecondTenant, type SecondTenant } from '../support/second-tenant.ts';
import type { Service } from '../support/service.ts';

// Uses a separate service, because its database has a statement timeout.
describe('a statement timeout set by the operator', () => {
  const sandbox = createSandbox();
  let service: Service;
  let tenant: SecondTenant;
  before(async () => {
    const DATABASE_URL = await createMigratedDatabase();
    service = await sandbox.startService({ DATABASE_URL });
    tenant = await createSecondTenant(service);
    const database = new URL(DATABASE_URL).pathname.slice(1);
    await service.sql(`alter database ${database} set statement_timeout = '1s'`);
    await service.end();
    service = await sandbox.startService({ DATABASE_URL }, service.dataDir);
  });
  after(() => sandbox.clear());

  for (const [description, table, request] of [
    ['a request', 'api_keys', () => createClient(service.url, tenant.key).get('/providers')],
    ['an upload', 'ingestions', () => createClient(service.url, tenant.key).upload([record()])],
  ] as const) {
    it(`responds with 503 and Retry-After to ${description} that exceeds the statement timeout`, async () => {
      const holder = await service.connect();
      await holder.query(`begin; lock table ${table} in access exclusive mode`);
      const { status, headers, body } = await request();
      await holder.end();
      assert.deepEqual([status, headers.get('retry-after')], [503, '5']);
      assert.equal(body.errors[0]?.code, 'database_timeout');
      assert.equal((await createClient(service.url, tenant.key).get('/providers')).status, 200);
    });
  }
});
