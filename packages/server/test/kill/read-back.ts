import { assertTrueCounts } from '../support/true-counts.ts';
import { checkFindings } from './check-findings.ts';
import { checkProviders } from './check-providers.ts';
import { checkUploads } from './check-uploads.ts';
import type { Faults } from './faults.ts';
import type { KilledService } from './killed-service.ts';
import type { PlannedUpload } from './planned-upload.ts';
import { createTenantReader } from './tenant-reader.ts';
import type { SentUpload } from './uploader.ts';

export interface ReadBack {
  readonly records: number;
  readonly findings: number;
  /** Number of uploads that created a job although the client received no response. */
  readonly unknownComplete: number;
}

/** Reads all data of every tenant through the API and compares it with the uploads. */
export async function readBack(
  service: KilledService,
  sentByTenant: readonly (readonly SentUpload[])[],
  planOf: (tenant: number, number: number) => PlannedUpload,
  faults: Faults,
): Promise<ReadBack> {
  let [records, findings, unknownComplete] = [0, 0, 0];
  for (const [tenant, key] of service.tenantKeys.entries()) {
    const reader = createTenantReader(await service.nextApi(), key);
    const sent = sentByTenant[tenant] ?? [];
    const uploads = await checkUploads(reader, sent, (number) => planOf(tenant, number), faults);
    findings += await checkFindings(reader, uploads, faults);
    await checkProviders(reader, uploads, faults);
    records += uploads.reduce((sum, { plan }) => sum + plan.records.length, 0);
    const jobs = new Set(uploads.map(({ number }) => number));
    unknownComplete += sent.filter(
      ({ number, outcome }) => outcome.type === 'unknown' && jobs.has(number),
    ).length;
  }
  await assertTrueCounts(service.database).catch((error: unknown) =>
    faults.add(`the stored counts: ${error}`),
  );
  return { records, findings, unknownComplete };
}
