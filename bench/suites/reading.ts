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
/** Slow requests are repeated less often, but at least three times. */
const MAX_MS = 3000;

/** The lists and summaries that users open first, compared with hand-written SQL. */
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
        const title = `reading: ${records} findings in the tenant, ${TENANTS} other tenants; median of up to ${REPETITIONS} requests`;
        return [{ title, rows }];
      } finally {
        await sql.end();
      }
    });
  },
};

/** Ingests a scan, and a later scan of one fiftieth of the findings with different statuses. */
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
  for (const [count, options] of scans) {
    const file = await generateFile(folder, count, { indent: 0, ...options });
    await ingestFile(service, client, file.path);
    await rm(file.path);
  }
  await createOtherTenants(sql, service.tenantId, TENANTS);
  // Otherwise autovacuum would run during the measurement.
  await sql.query('vacuum analyze');
}

async function measure(read: Read, client: Client, sql: pg.Client) {
  const api = await medianMs(async () => {
    const { status } = await client.get(read.path);
    if (status !== 200) throw new Error(`${read.path} returned ${status}`);
  });
  const sqlMs = await medianMs(async () => {
    for (const statement of read.sql) await sql.query(statement, [read.tenantId]);
  });
  const ratio = sqlMs === 0 ? Number.NaN : api / sqlMs;
  return {
    request: read.name,
    'API ms': roundToThreeDigits(api),
    'SQL ms': roundToThreeDigits(sqlMs),
    'ratio to SQL': roundToThreeDigits(ratio),
    acceptable: String(api <= 50 || ratio <= 2),
  };
}

async function medianMs(work: () => Promise<void>): Promise<number> {
  await work();
  const times: number[] = [];
  const begin = performance.now();
  while (times.length < REPETITIONS && (times.length < 3 || performance.now() - begin < MAX_MS)) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return median(times);
}
