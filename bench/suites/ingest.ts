import { rm } from 'node:fs/promises';
import path from 'node:path';
import { prepareRawRecords } from '../baselines/prepare-raw-records.ts';
import { generateScans } from '../generate-scans.ts';
import { compareWithBaselines, type Round } from '../ingest/compare-with-baselines.ts';
import { ingestByRole, type RoleScans } from '../ingest/ingest-by-role.ts';
import { describeBaselines, describeStorage } from '../ingest/ingest-results.ts';
import type { IngestCosts } from '../ingest/measure-ingestion.ts';
import { describeRoles, describeVariants } from '../ingest/variant-results.ts';
import { ingestForTenants, ingestWithS3 } from '../ingest/variants.ts';
import type { BenchContext, Result, Suite } from '../suite.ts';

const TENANTS = 4;

/** Ingestion from upload to completion, compared with baselines on the same machine. */
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
    against.push(await compareWithBaselines(folder, scans, raw));
    // No target depends on the variants, so the short form measures them once.
    if (!long && round > 0) continue;
    s3.push(await ingestWithS3(scans));
    tenants.push(await ingestForTenants(TENANTS, parts));
    roles.push(await ingestByRole(scans));
  }
  await Promise.all(
    [scans.fresh.path, scans.repeated.path, parts.fresh.path, parts.repeated.path, raw].map((file) =>
      rm(file, { force: true }),
    ),
  );
  return [
    describeBaselines(scans, against),
    describeStorage(records, against),
    describeVariants(scans, { s3, tenants, tenantCount: TENANTS, parts }),
    describeRoles(records, roles),
  ];
}
