import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { openMigratedDatabase } from '../../src/db/open-database.ts';
import { firstStart } from '../../src/process/first-start.ts';
import { itInWholeRun } from '../support/is-whole-run.ts';
import { createSandbox } from '../support/sandbox.ts';

describe('the first start with an embedded database', () => {
  const sandbox = createSandbox();
  after(() => sandbox.clear());

  it('creates no tenant and no API key if an operator has already created a tenant', async () => {
    const dataDir = await sandbox.newDataDir();
    // This start creates the database but fails before creating a key.
    const failed = await sandbox.sluice(dataDir, ['serve'], { HOST: 'nowhere.invalid' });
    assert.equal(failed.code, 1);
    assert.equal((await sandbox.sluice(dataDir, ['tenant', 'create', 'Acme'])).code, 0);
    const service = await sandbox.startEmbeddedService({}, dataDir);
    assert.equal(service.output.stdout, `Sluice is ready at ${service.url}\n`);
    assert.deepEqual(await service.sql('select name from tenants'), [{ name: 'Acme' }]);
    assert.deepEqual(await service.sql('select from api_keys'), []);
  });

  itInWholeRun(
    'rolls back if the first start fails between creating the tenant and the API key, and creates both on the next start',
    async () => {
      const dataDir = await sandbox.newDataDir();
      const host = await sandbox.startEmbeddedService({ SLUICE_WORKERS: '1' }, dataDir);
      await host.sql('truncate tenants cascade');
      const opened = await openMigratedDatabase({ databaseUrl: undefined, dataDir }, () => undefined);
      try {
        await host.sql(`create function disconnect() returns trigger language plpgsql security definer as $$
        begin perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(60); end $$`);
        await host.sql('create trigger trap before insert on api_keys execute function disconnect()');
        await assert.rejects(firstStart(opened.database));
        assert.deepEqual(await host.sql('select from tenants'), []);
        await host.sql('drop trigger trap on api_keys');
        const firstTenant = await firstStart(opened.database);
        assert.match(firstTenant?.key ?? '', /^sk_/);
        assert.equal((await host.sql('select from tenants')).length, 1);
      } finally {
        await opened.close();
      }
    },
  );
});
