import { rm } from 'node:fs/promises';
import path from 'node:path';
import { againstYardsticks, type Round } from '../ingest/against-yardsticks.ts';
import { byRole, type RoleScans } from '../ingest/by-role.ts';
import { againstYardsticksResult, storageResult } from '../ingest/ingest-results.ts';
import type { IngestCosts } from '../ingest/measure-ingestion.ts';
import { ofTenants, overS3 } from '../ingest/other-ways.ts';
import { otherWaysResult, roleResult } from '../ingest/other-ways-results.ts';
import { generateScans } from '../scans.ts';
import type { BenchContext, Result, Suite } from '../suite.ts';
import { prepareRawRecords } from '../yardsticks/prepare-raw-records.ts';

const TENANTS = 4;

/** The whole way of a file, beside what the same bytes cost otherwise on the same machine. */
export const INGEST: Suite = {
  name: 'ingest',
  run: async (context) => {
    const results: Result[] = [];
    for (const records of context.records) results.push(...(await measureRecords(context, records)));
    return results;
  },
};

async function measureRecords(context: BenchContext, records: number): Promise<Result[]> {
  const { folder, long, rounds } = context;
  const scans = await generateScans(folder, records);
  const parts = await generateScans(folder, Math.ceil(records / TENANTS));
  const raw = path.join(folder, 'raw-records.copy');
  await prepareRawRecords(scans.fresh.path, raw);
  const against: Round[] = [];
  const s3: IngestCosts[] = [];
  const tenants: IngestCosts[] = [];
  const roles: RoleScans[] = [];
  for (let round = 0; round < rounds; round++) {
    against.push(await againstYardsticks(folder, scans, raw));
    // What they tell beside the first measurement is no ratio with a target: once is enough in the short form.
    if (!long && round > 0) continue;
    s3.push(await overS3(scans));
    tenants.push(await ofTenants(TENANTS, parts));
    roles.push(await byRole(scans));
  }
  await Promise.all(
    [scans.fresh.path, scans.again.path, parts.fresh.path, parts.again.path, raw].map((file) =>
      rm(file, { force: true }),
    ),
  );
  return [
    againstYardsticksResult(scans, against),
    storageResult(records, against),
    otherWaysResult(scans, { s3, tenants, numberOfTenants: TENANTS, parts }),
    roleResult(records, roles),
  ];
}
