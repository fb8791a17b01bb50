import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient } from '../../support/client.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { record } from '../../support/records.ts';

const DAY = 86_400;
const EPOCH = 1_780_000_000;
const FINDINGS = 5000;
const CHECKS = 300;

describe('late records of a provider with hundreds of coverages', () => {
  let service: SharedService;
  let client: Client;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
  });
  after(() => service.leave());

  const file = (first: number, day: number) =>
    Array.from({ length: FINDINGS }, (_, n) =>
      record({
        time: EPOCH + day * DAY,
        metadata: { event_code: `check-${n % CHECKS}`, product: { name: 'Scanner' } },
        finding_info: { uid: `uid-${first + n}` },
      }),
    );

  // It took several minutes to read all scopes for each record. The client waits one minute.
  it('are resolved at the earliest of the later times', async () => {
    await client.ingest(file(0, 100), { parts: { coverage: 'checks' } });
    // As if the same file had been uploaded on each of the following days.
    await service.sql(
      `insert into coverages
       select tenant_id, provider_id, gen_random_uuid(), id, product, check_keys,
         array(select time + day * interval '1 day' from unnest(times) as time), newest_time + day * interval '1 day', false, published_at
       from coverages cross join generate_series(1, 400) as day`,
    );
    await client.ingest(file(FINDINGS, 50));
    await client.ingest(file(2 * FINDINGS, 150));
    const rows = await service.sql<{ day: number; count: number }>(
      `select ((extract(epoch from resolved_at) - $1) / $2)::int as day, count(*)::int as count from findings
       where resolved_at is not null group by 1 order by 1`,
      [EPOCH, DAY],
    );
    assert.deepEqual(rows, [
      { day: 100, count: FINDINGS },
      { day: 151, count: FINDINGS },
    ]);
  });
});
