import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '../support/client.ts';
import { LOCKS } from '../support/database-activity.ts';
import { holdPending, type Release } from '../support/held-jobs.ts';
import { endPostmaster } from '../support/postmaster.ts';
import { record } from '../support/records.ts';
import { assertTemporary, type TemporaryError } from '../support/refusal.ts';
import { startPostgresAgain } from '../support/restart-postgres.ts';
import { createSandbox } from '../support/sandbox.ts';
import type { Service } from '../support/service.ts';
import { until } from '../support/until.ts';

const UNAVAILABLE: TemporaryError = [503, 'database_unavailable', '5'];

describe('an unavailable database', () => {
  const sandbox = createSandbox();
  let service: Service;
  let client: Client;
  let release: Release;
  let accepted: string;
  before(async () => {
    service = await sandbox.startEmbeddedService({ LOG_LEVEL: 'warn' });
    client = createClient(service.url, service.key);
    await client.ingest([record()]);
    release = await holdPending(service);
    const { status, body } = await client.upload([record({ finding_info: { uid: 'accepted' } })]);
    assert.equal(status, 202);
    accepted = body.data.id;
  });
  after(() => sandbox.clear());

  it('responds with 503 to a request if the database stops during the request', async () => {
    const holder = await service.connect();
    // The connection breaks when the server stops.
    const disconnected = new Promise((resolve) => holder.on('error', resolve));
    await holder.query('begin; lock table providers');
    const response = client.get('/providers');
    await until(async () => (await service.sql(`select from ${LOCKS} where not granted`)).length > 0);
    await endPostmaster(service.dataDir);
    assertTemporary(await response, UNAVAILABLE);
    assert.ok((await disconnected) instanceof Error);
  });

  it('responds with 503 and Retry-After to reads and uploads while the database is unavailable', async () => {
    for (const list of ['/findings', '/findings/summary', '/ingestions', '/providers'])
      assertTemporary(await client.get(list), UNAVAILABLE);
    assertTemporary(await client.upload([record()]), UNAVAILABLE);
  });

  it('logs one line per request, without a stack trace, while the database is unavailable', async () => {
    const lines = await until(async () => {
      const logged = service.output.stderr
        .split('\n')
        .filter((line) => line.includes('database_unavailable'));
      return logged.length >= 6 && logged;
    });
    assert.equal(lines.length, 6);
    for (const line of lines) {
      assert.match(
        line,
        /"level":"warn".*"reason":"the database cannot be reached: .+".*"msg":"the request was rejected"/,
      );
      assert.doesNotMatch(line, /"stack"/);
    }
    assert.doesNotMatch(service.output.stderr, /the request failed/);
  });

  it('is live but not ready while the database is unavailable, and logs each reason once', async () => {
    const health = async (which: string) => (await fetch(`${service.url}/health/${which}`)).status;
    assert.deepEqual([await health('live'), await health('ready')], [200, 503]);
    for (let probe = 0; probe < 4; probe++) {
      // Health check results are cached for half a second.
      await sleep(600);
      assert.equal(await health('ready'), 503);
    }
    const logged = service.output.stderr.split('\n').filter((line) => line.includes('"msg":"not ready"'));
    // On a busy machine, the first check may time out.
    const reasons = logged.map((line) => {
      const { check, err } = JSON.parse(line);
      return `${check}: ${err.message}`;
    });
    assert.ok(reasons.some((reason) => reason.startsWith('database: ')));
    assert.deepEqual(reasons, [...new Set(reasons)]);
  });

  it('reconnects once the database is available again, and completes jobs accepted before the outage', async () => {
    await startPostgresAgain(service);
    const { body: kept } = await until(async () => {
      const response = await client.get(`/ingestions/${accepted}`);
      return response.status === 200 && response;
    });
    assert.equal(kept.data.attributes.status, 'pending');
    await release();
    const { attributes } = await client.ended(accepted);
    assert.deepEqual(
      [attributes.status, attributes.summary],
      ['completed', { total: 1, processed: 1, invalid: 0 }],
    );
    const job = await client.ingest([record({ finding_info: { uid: 'after' } })]);
    assert.equal(job.attributes.status, 'completed');
    const { body } = await client.get<unknown[]>('/findings');
    assert.equal(body.data.length, 3);
  });
});
