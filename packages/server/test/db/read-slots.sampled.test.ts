import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { type Client, createClient } from '../support/client.ts';
import { itInWholeRun } from '../support/is-whole-run.ts';
import { record } from '../support/records.ts';
import { assertRefused } from '../support/refusal.ts';
import { createSecondTenant, type SecondTenant } from '../support/second-tenant.ts';
import { type Service, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

const MAX_CONCURRENT_READS = 2;
const READ_SECONDS = 6;

// Uses a separate service with a low limit on concurrent reads.
describe('slow reads', () => {
  let service: Service;
  let client: Client;
  let second: SecondTenant;
  let owner: pg.Client;
  before(async () => {
    service = await startService({
      SLUICE_WORKERS: '1',
      SLUICE_READS_AT_ONCE: `${MAX_CONCURRENT_READS}`,
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

  /** Locks the checks table during the work, so that reads of checks block. */
  const withLockedChecks = async (work: () => Promise<void>) => {
    await owner.query('begin; lock table sluice.checks in access exclusive mode');
    try {
      await work();
    } finally {
      await owner.query('rollback');
    }
  };
  const waiting = async () => {
    // Uses a separate connection from the lock, because pg_stat_activity does not change during a transaction.
    const rows = await service.ownerSql(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.length;
  };
  const startHangingRead = async (as: Client, signal?: AbortSignal) => {
    const before = await waiting();
    const response = as.send('/checks', signal === undefined ? {} : { signal });
    response.catch(() => undefined);
    await until(async () => (await waiting()) > before);
    // Returned in an object, so that awaiting this function does not await the response.
    return { response };
  };

  it('returns 503 for slow or excessive reads by a tenant, without delaying jobs and uploads', () =>
    withLockedChecks(async () => {
      const hanging = await startHangingRead(client);
      // The tenant may use one of the two slots. The other slot is for other tenants.
      const queued = client.get('/providers');
      assert.equal((await second.client.get('/providers')).status, 200);
      for (const path of ['/ingestions', '/limits', '/subscription', '/ingestions?filter[search]=x'])
        assert.equal((await client.get(path)).status, 200, path);
      assert.equal((await client.upload([record()])).status, 202);
      const expected = {
        status: 503,
        code: 'too_many_reads',
        detail: /limit is 1 concurrent read per tenant.* 5 seconds/,
      };
      const error = assertRefused(await queued, expected);
      assert.deepEqual(error.meta, { limit: 'reads_at_once_per_tenant', max: 1 });
      assert.equal((await queued).headers.get('retry-after'), '5');
      const ended = await hanging.response;
      assertRefused(ended, {
        status: 503,
        code: 'read_timeout',
        detail: new RegExp(`time limit of ${READ_SECONDS} s`),
      });
      assert.equal(ended.headers.get('retry-after'), '5');
      assert.equal((await client.get('/providers')).status, 200);
    }));

  itInWholeRun('cancels a read in the database and frees its slot when the client disconnects', () =>
    withLockedChecks(async () => {
      // This read reaches the time limit before the next read.
      const older = await startHangingRead(second.client);
      let hasOlderEnded = false;
      void older.response.then(() => {
        hasOlderEnded = true;
      });
      const disconnect = new AbortController();
      const hanging = await startHangingRead(client, disconnect.signal);
      disconnect.abort();
      await assert.rejects(hanging.response);
      await until(async () => (await waiting()) === 1);
      assert.equal((await client.get('/providers')).status, 200);
      assert.ok(!hasOlderEnded);
      await older.response;
    }),
  );

  itInWholeRun('removes queued reads from the queue when their clients disconnect', () =>
    withLockedChecks(async () => {
      const hanging = await startHangingRead(client);
      const disconnect = new AbortController();
      const queued = Array.from({ length: 20 }, () =>
        client.send('/providers', { signal: disconnect.signal }),
      );
      await client.get('/limits');
      disconnect.abort();
      const settled = await Promise.allSettled(queued);
      assert.ok(settled.every(({ status }) => status === 'rejected'));
      await hanging.response;
      assert.equal((await client.get('/providers')).status, 200);
    }),
  );
});
