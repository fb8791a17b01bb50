import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { createMigratedDatabase } from '../support/run-cluster.ts';
import { createSandbox } from '../support/sandbox.ts';

describe('sluice migrate --status during a backfill', () => {
  const sandbox = createSandbox();
  const ids = [randomUUID(), randomUUID()];
  let DATABASE_URL: string;
  let owner: pg.Client;
  before(async () => {
    DATABASE_URL = await createMigratedDatabase();
    owner = new pg.Client({ connectionString: DATABASE_URL, options: '-c search_path=sluice' });
    await owner.connect();
  });
  after(async () => {
    await owner.end();
    await sandbox.clear();
  });

  const status = async (...options: string[]) => {
    const args = ['migrate', '--status', ...options];
    const { code, stdout, stderr } = await sandbox.sluice(await sandbox.newDataDir(), args, { DATABASE_URL });
    assert.deepEqual([code, stderr], [0, '']);
    return stdout;
  };
  const lines = async () => (await status()).split('\n').filter((line) => line.startsWith('backfill'));
  const member = async () => JSON.parse(await status('--json')).backfill;

  it('prints nothing if there is no backfill', async () => {
    assert.deepEqual(await lines(), []);
    assert.equal(await member(), undefined);
  });

  it('prints how many tenants are left, and the proportion of their findings that is done', async () => {
    await owner.query('insert into finding_backfills (tenant_id) values ($1), ($2)', ids);
    assert.deepEqual(await lines(), ['backfill  2 tenants left, about 0% done']);
    const [first, second] = ids;
    const proceed = 'update finding_backfills set after_id = $2 where tenant_id = $1';
    await owner.query(proceed, [first, '80000000-0000-4000-8000-000000000000']);
    assert.deepEqual(await lines(), ['backfill  2 tenants left, about 25% done']);
    await owner.query('delete from finding_backfills where tenant_id = $1', [second]);
    assert.deepEqual(await lines(), ['backfill  1 tenant left, about 50% done']);
    assert.deepEqual(await member(), { tenants: 1, percent: 50, frames: 0 });
    await owner.query('delete from finding_backfills');
  });

  it('prints how many frames are left to read again', async () => {
    const queue = 'insert into reread_queue select $1, $2, * from generate_series($3::int, $4)';
    await owner.query(queue, [...ids, 0, 0]);
    assert.deepEqual(await lines(), ['backfill  1 stored frame left to read again']);
    await owner.query(queue, [...ids, 1, 2]);
    assert.deepEqual(await lines(), ['backfill  3 stored frames left to read again']);
    assert.deepEqual(await member(), { tenants: 0, percent: 100, frames: 3 });
  });
});
