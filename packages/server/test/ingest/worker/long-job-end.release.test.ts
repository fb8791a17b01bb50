import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { setTenant } from '../../../src/db/transaction.ts';
import { holdCoverage } from '../../../src/ingest/merge/resolve-findings.ts';
import { type Client, createClient } from '../../support/client.ts';
import { record } from '../../support/records.ts';
import { type Service, startService } from '../../support/service.ts';

/** Longer than PostgreSQL lets the transaction of a claim be idle. */
const PAUSE_MS = 65_000;

const scan = (time: number, ...uids: readonly string[]) =>
  uids.map((uid) =>
    record({
      time: 1_780_000_000 + time,
      finding_info: { uid },
      metadata: { event_code: 'check', product: { name: 'Scanner' } },
    }),
  );

describe('the end of a job with coverage', () => {
  let service: Service;
  let client: Client;
  before(async () => {
    service = await startService({ SLUICE_WORKERS: '1' });
    client = createClient(service.url, service.key);
  });
  after(() => service.remove());

  it('is not interrupted while it waits for a frame in progress for more than a minute', async () => {
    await client.ingest(scan(0, 'kept', 'gone'));
    const frame = await service.connect();
    await frame.query('begin');
    await setTenant(frame, service.tenantId);
    await holdCoverage(frame, service.tenantId);
    const { body } = await client.upload(scan(1, 'kept'), { parts: { coverage: 'account' } });
    await sleep(PAUSE_MS);
    await frame.query('rollback');
    await frame.end();
    const job = await client.ended(body.data.id);
    assert.equal(job.attributes.status, 'completed');
    const { body: resolved } = await client.get('/findings?filter[state]=resolved');
    assert.equal(resolved.meta?.pagination.count, 1);
    assert.doesNotMatch(service.output.stderr, /lost its database connections|could not be released/);
  });
});
