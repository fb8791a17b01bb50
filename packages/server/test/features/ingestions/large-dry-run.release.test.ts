import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient } from '../../support/client.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { record } from '../../support/records.ts';

/** A comparison of each finding with each record of the file would take several minutes. */
const RECORDS = 40_000;
const CHECKS = 37;
const ACCOUNTS = 4;
const TIME = 1_780_000_000;

describe('a dry run of a large file', () => {
  let service: SharedService;
  let client: Client;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
  });
  after(() => service.leave());

  for (const coverage of ['checks', 'account'])
    it(`ends within a minute if all of its findings are known, with coverage=${coverage}`, async () => {
      const findings = (minutes: number) =>
        Array.from({ length: RECORDS }, (_, at) =>
          record({
            time: TIME + minutes * 60,
            finding_info: { uid: `uid-${at}` },
            metadata: { event_code: `check-${at % CHECKS}`, product: { name: 'Scanner' } },
            cloud: { provider: 'aws', account: { uid: `large-${coverage}-${at % ACCOUNTS}` } },
          }),
        );
      await client.ingest(findings(0), { parts: { coverage } });
      const { id } = await client.ingest(findings(10).slice(1), { parts: { coverage, dry_run: 'true' } });
      const { body } = await client.get<{ attributes: { findings: Record<string, Record<string, number>> } }>(
        `/ingestions/${id}/dry-run`,
      );
      const { resolved, unchanged } = body.data.attributes.findings;
      const countOf = (bySeverity: Record<string, number> = {}) =>
        Object.values(bySeverity).reduce((sum, count) => sum + count, 0);
      assert.deepEqual([countOf(resolved), countOf(unchanged)], [1, RECORDS - 1]);
    });
});
