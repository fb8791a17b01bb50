import { rm } from 'node:fs/promises';
import type pg from 'pg';
import type { Client } from '../../packages/server/test/support/client.ts';
import type { Service } from '../../packages/server/test/support/service.ts';

import { generateFile } from '../generate-file.ts';
import { median } from '../median.ts';
import { listReads, type Read } from '../reading/list-reads.ts';
import { createOtherTenants } from '../reading/other-tenants.ts';
import { roundToThreeDigits } from '../round-to-three-digits.ts';
import { ingestFile, withService } from '../service.ts';
import type { BenchContext, Suite } from '../suite.ts';

const TIMES_RECORDS = 10;
const TENANTS = 200;
const REPETITIONS = 21;
const NEXT_SCAN = 1_785_628_800;
/** What takes long is not measured so often, but at least three times. */
const MOST_MS = 3000;

/** The lists and summaries that a person opens first, beside the same answers by hand-written SQL. */
export const READING: Suite = {
  name: 'reading',
  run: async (context) => {
    const records = TIMES_RECORDS * Math.min(...context.records);
    return await withService(async (service, client) => {
      const sql = await service.connect();
      try {
        await fill(service, client, sql, { folder: context.folder, records });
        const rows = [];
        for (const read of await listReads(service, client)) rows.push(await measure(read, client, sql));
        const title = `Reading: ${records} findings in the tenant asked, ${TENANTS} other tenants; median of up to ${REPETITIONS}`;
        return [{ title, rows }];
      } finally {
        await sql.end();
      }
    });
  },
};

/** One scan of everything, and a later one of a part, in which statuses are others. */
async function fill(
  service: Service,
  client: Client,
  sql: pg.Client,
  { folder, records }: Pick<BenchContext, 'folder'> & { readonly records: number },
): Promise<void> {
  const scans = [
    [records, {}],
    [Math.ceil(records / 50), { seed: 2, time: NEXT_SCAN }],
  ] as const;
  for (const [number, options] of scans) {
    const file = await generateFile(folder, number, { indent: 0, ...options });
    await ingestFile(service, client, file.path);
    await rm(file.path);
  }
  await createOtherTenants(sql, service.tenantId, TENANTS);
  // What autovacuum would do a minute later.
  await sql.query('vacuum analyze');
}

async function measure(read: Read, client: Client, sql: pg.Client) {
  const api = await medianMs(async () => {
    const { status } = await client.get(read.path);
    if (status !== 200) throw new Error(`${read.path} was answered with ${status}`);
  });
  const hand = await medianMs(async () => {
    for (const statement of read.sql) await sql.query(statement, [read.tenantId]);
  });
  const times = hand === 0 ? Number.NaN : api / hand;
  return {
    what: read.what,
    'API ms': roundToThreeDigits(api),
    'SQL ms': roundToThreeDigits(hand),
    'times SQL': roundToThreeDigits(times),
    good: String(api <= 50 || times <= 2),
  };
}

async function medianMs(work: () => Promise<void>): Promise<number> {
  await work();
  const times: number[] = [];
  const begin = performance.now();
  while (times.length < REPETITIONS && (times.length < 3 || performance.now() - begin < MOST_MS)) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return median(times);
}
