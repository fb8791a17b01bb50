import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { type Client, createClient } from './support/client.ts';
import { record } from './support/records.ts';
import { assertRefused } from './support/refusal.ts';
import { createSecondTenant, type SecondTenant } from './support/second-tenant.ts';
import { type Service, startService } from './support/service.ts';
import { until } from './support/until.ts';

const READS_AT_ONCE = 2;
const READ_SECONDS = 6;

// Its own service: it may do few reads at once.
describe('reads that take long', () => {
  let service: Service;
  let client: Client;
  let second: SecondTenant;
  let owner: pg.Client;
  before(async () => {
    service = await startService({
      SLUICE_WORKERS: '1',
      SLUICE_READS_AT_ONCE: `${READS_AT_ONCE}`,
      SLUICE_READ_SECONDS: `${READ_SECONDS}`,
    });
    client = createClient(service.url, service.key);
    second = await createSecondTenant(service);
    await client.ingest([record()]);
    owner = new pg.Client({ connectionString: service.databaseUrl });
    await owner.connect();
  });
  after(async () => {
    await owner.end();
    await service.remove();
  });

  /** Reads of checks do not end while the work is done. */
  const withoutChecks = async (work: () => Promise<void>) => {
    await owner.query('begin; lock table sluice.checks in access exclusive mode');
    try {
      await work();
    } finally {
      await owner.query('rollback');
    }
  };
  const waiting = async () => {
    // Not on the connection of the lock: what a transaction sees of other sessions does not change.
    const rows = await service.ownerSql(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.length;
  };
  const hang = async (as: Client, signal?: AbortSignal) => {
    const before = await waiting();
    const answer = as.send('/checks', signal === undefined ? {} : { signal });
    answer.catch(() => undefined);
    await until(async () => (await waiting()) > before);
    // In an object: awaiting this must not await the answer.
    return { answer };
  };

  it('end with 503 after the limit, have a share per tenant, and never hold up jobs', () =>
    withoutChecks(async () => {
      const hanging = await hang(client);
      // The tenant has its share of 1 of 2; the other place is for others.
      const queued = client.get('/providers');
      assert.equal((await second.client.get('/providers')).status, 200);
      for (const path of ['/ingestions', '/limits', '/subscription', '/ingestions?filter[search]=x'])
        assert.equal((await client.get(path)).status, 200, path);
      assert.equal((await client.upload([record()])).status, 202);
      const refused = {
        status: 503,
        code: 'too_many_reads',
        detail: /does 1 read of a tenant at once.* 5 s/,
      };
      const error = assertRefused(await queued, refused);
      assert.deepEqual(error.meta, { limit: 'reads_at_once_per_tenant', max: 1 });
      assert.equal((await queued).headers.get('retry-after'), '5');
      const ended = await hanging.answer;
      assertRefused(ended, {
        status: 503,
        code: 'read_timeout',
        detail: new RegExp(`more than ${READ_SECONDS} s`),
      });
      assert.equal(ended.headers.get('retry-after'), '5');
      assert.equal((await client.get('/providers')).status, 200);
    }));

  it('end in the database when the client has gone, and leave their place to others', () =>
    withoutChecks(async () => {
      // Its time is over before that of the next one.
      const older = await hang(second.client);
      let isOlderOver = false;
      void older.answer.then(() => {
        isOlderOver = true;
      });
      const left = new AbortController();
      const hanging = await hang(client, left.signal);
      left.abort();
      await assert.rejects(hanging.answer);
      await until(async () => (await waiting()) === 1);
      assert.equal((await client.get('/providers')).status, 200);
      assert.ok(!isOlderOver);
      await older.answer;
    }));

  it('leave no queue behind when their clients go while they wait', () =>
    withoutChecks(async () => {
      const hanging = await hang(client);
      const left = new AbortController();
      const queued = Array.from({ length: 20 }, () => client.send('/providers', { signal: left.signal }));
      await client.get('/limits');
      left.abort();
      const settled = await Promise.allSettled(queued);
      assert.ok(settled.every(({ status }) => status === 'rejected'));
      await hanging.answer;
      assert.equal((await client.get('/providers')).status, 200);
    }));
});
