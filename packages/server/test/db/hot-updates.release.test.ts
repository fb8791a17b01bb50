import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createClient } from '../support/client.ts';
import { record } from '../support/records.ts';
import { type Service, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

const COUNT = 2000;
const FIRST_SCAN = 1_780_000_000;
const SECOND_SCAN = FIRST_SCAN + 86_400;

describe('updates of findings', () => {
  let service: Service;
  before(async () => {
    service = await startService({ SLUICE_WORKERS: '1' });
  });
  after(() => service.remove());

  it('updates most findings of a repeated scan without new index entries', async () => {
    const client = createClient(service.url, service.key);
    for (const time of [FIRST_SCAN, SECOND_SCAN]) {
      const records = Array.from({ length: COUNT }, (_, at) =>
        record({
          time,
          finding_info: { uid: `finding-${at}` },
          resources: [{ uid: `resource-${at % 100}`, name: `name-${at % 100}` }],
        }),
      );
      const { attributes } = await client.ingest(records);
      assert.equal(attributes.status, 'completed');
    }
    // PostgreSQL counts the updates of a session at the latest when the session ends.
    await service.end();
    const hot = await until(async () => {
      const [counts] = await service.ownerSql<{ updated: string; hot: string }>(
        `select n_tup_upd as updated, n_tup_hot_upd as hot from pg_stat_user_tables where relname = 'findings'`,
      );
      return Number(counts?.updated) === COUNT && Number(counts?.hot);
    });
    // Findings grow with the second scan, which adds their previous status. A page has no space for the last of them.
    assert.ok(hot > 0.8 * COUNT, `${hot} of ${COUNT} updates were HOT`);
  });
});
