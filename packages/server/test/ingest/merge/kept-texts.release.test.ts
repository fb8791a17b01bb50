import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createClient } from '../../support/client.ts';
import { isWholeRun } from '../../support/is-whole-run.ts';
import { record } from '../../support/records.ts';
import { type Service, startService } from '../../support/service.ts';

const MIB = 2 ** 20;
/** Checks per upload, each with long strings that take 2 MiB of memory. */
const CHECKS = isWholeRun ? 60 : 20;

// Uses a separate service, because the test measures the memory usage of the service process.
describe('a worker that ingests many checks with long strings', () => {
  let service: Service;
  before(async () => {
    service = await startService({ SLUICE_WORKERS: '1' });
  });
  after(() => service.remove());

  const residentMiB = async () => {
    const status = await readFile(`/proc/${service.process.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  };
  const ingest = async (round: number) => {
    const records = Array.from({ length: CHECKS }, (_, at) =>
      record({
        metadata: { event_code: `check-${round}-${at}` },
        finding_info: { uid: `finding-${at}`, desc: `${at} ${'\u2028'.repeat(MIB)}` },
      }),
    );
    const client = createClient(service.url, service.key);
    await client.ingest(new Uint8Array(gzipSync(JSON.stringify(records))));
  };

  it('does not keep the long strings of many checks in memory', async () => {
    await ingest(0);
    const before = await residentMiB();
    for (const round of [1, 2, 3, 4]) await ingest(round);
    const grown = (await residentMiB()) - before;
    // Keeping the strings in memory would add 8 MiB per check.
    assert.ok(grown < 7 * CHECKS, `the memory grew by ${grown} MiB`);
  });
});
