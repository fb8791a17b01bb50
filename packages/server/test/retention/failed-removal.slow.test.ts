import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import pino from 'pino';
import { APP_ROLE } from '../../src/db/connect.ts';
import { removeDeletedProviders } from '../../src/retention/remove-deleted-providers.ts';
import { createTestBedDatabase, type TestBedDatabase } from '../faults/test-bed.ts';
import { type FailingStatements, startFailingStatements } from '../support/failing-statements.ts';
import { until } from '../support/until.ts';

describe('removing deleted providers', () => {
  let database: TestBedDatabase;
  let proxy: FailingStatements;
  const stop = new AbortController();
  let removed: Promise<void>;
  before(async () => {
    database = await createTestBedDatabase();
    proxy = await startFailingStatements(database.url);
  });
  after(async () => {
    stop.abort();
    await removed;
    await proxy.stop();
    await database.remove();
  });

  it('removes a deleted provider on the next attempt if a cursor could not be closed', async () => {
    const { owner } = database;
    const ids = [randomUUID(), randomUUID()];
    await owner.query(`insert into tenants (tenant_id, name, subscription) values ($1, 'Acme', 'active')`, [
      ids[0],
    ]);
    await owner.query(
      `insert into providers (tenant_id, id, type, account) values ($1, $2, 'aws', 'one')`,
      ids,
    );
    await owner.query('insert into provider_removals (tenant_id, provider_id) values ($1, $2)', ids);
    proxy.counts = (text) => text === 'close removed';
    await proxy.arm(1);
    removed = removeDeletedProviders({
      database: { url: proxy.url, role: APP_ROLE },
      embedded: false,
      log: pino({ level: 'silent' }),
      signal: stop.signal,
    });
    await until(async () => (await owner.query('select from provider_removals')).rowCount === 0);
    assert.notEqual((await proxy.disarm()).failed, undefined);
  });
});
