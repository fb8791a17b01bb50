import type { Ingestion } from '../support/client.ts';
import type { Faults } from './faults.ts';
import { expectedErrors, type KnownUpload } from './oracle.ts';
import { fileOf, type PlannedUpload } from './planned-upload.ts';
import { sha256, type TenantReader } from './tenant-reader.ts';
import type { SentUpload } from './uploader.ts';

/** The error code of records in a frame that the service gave up on. */
const GIVEN_UP = 'processing_failed';
const MAX_CONCURRENT_CHECKS = 8;

/**
 * Checks that every upload with a 202 created one complete job, that rejected uploads left nothing behind, and that
 * each upload without a response created a complete job or nothing. Returns the uploads that created a job.
 */
export async function checkUploads(
  reader: TenantReader,
  sent: readonly SentUpload[],
  planOf: (number: number) => PlannedUpload,
  faults: Faults,
): Promise<KnownUpload[]> {
  const jobs = Map.groupBy(await reader.all<Ingestion>('/ingestions?page[size]=1000'), ({ meta }) =>
    String(meta.file_name),
  );
  const uploads: KnownUpload[] = [];
  const checks: (() => Promise<void>)[] = [];
  for (const { number, outcome } of sent) {
    const plan = planOf(number);
    const { fileName } = plan;
    const [job, ...others] = jobs.get(fileName) ?? [];
    jobs.delete(fileName);
    if (others.length > 0)
      faults.addDuplicated(others.length, `${fileName} created ${others.length + 1} jobs`);
    if (outcome.type === 'accepted' && job?.id !== outcome.id)
      faults.addLost(
        1,
        `${fileName} got a 202 for the job ${outcome.id}, but created the job ${job?.id ?? 'none'}`,
      );
    if (outcome.type === 'rejected' && job !== undefined)
      faults.add(`${fileName} was rejected with ${outcome.status}, but created the job ${job.id}`);
    if (job === undefined) continue;
    uploads.push({ id: job.id, number, plan });
    checks.push(() => checkJob(reader, job, plan, faults));
  }
  for (const fileName of jobs.keys())
    faults.addDuplicated(1, `a job exists for ${fileName}, which was never uploaded`);
  await Promise.all(
    Array.from({ length: MAX_CONCURRENT_CHECKS }, async () => {
      for (let check = checks.pop(); check !== undefined; check = checks.pop()) await check();
    }),
  );
  return uploads;
}

async function checkJob(
  reader: TenantReader,
  job: Ingestion,
  plan: PlannedUpload,
  faults: Faults,
): Promise<void> {
  const label = `${plan.fileName} (${job.id})`;
  const counts = expectedErrors(plan);
  const [total, invalid] = [
    plan.records.length,
    Object.values(counts).reduce((sum, count) => sum + count, 0),
  ];
  const { status, summary } = job.attributes;
  faults.expectSame(`the counts of ${label}`, summary, { total, processed: total, invalid });
  faults.expectSame(`the status of ${label}`, status, invalid === 0 ? 'completed' : 'failed');
  if (summary.processed < total)
    faults.addLost(total - summary.processed, `${label} has unprocessed records`);
  if (summary.processed > total)
    faults.addDuplicated(summary.processed - total, `${label} has too many records`);

  const reported = await reader.errors(job.id);
  const givenUp = reported.counts[GIVEN_UP] ?? 0;
  if (givenUp > 0)
    faults.addLost(
      givenUp,
      `the service gave up on ${givenUp} records of ${label}: ${reported.errors.find(({ code }) => code === GIVEN_UP)?.detail}`,
    );
  const byCode = (all: Record<string, number>) => Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1));
  faults.expectSame(`the error counts by code for ${label}`, byCode(reported.counts), byCode(counts));
  faults.expectSame(
    `the errors by record for ${label}`,
    reported.errors.map(({ record_index, code }) => [record_index, code]),
    plan.records.flatMap(({ expected }, at) => (typeof expected === 'string' ? [[at, expected]] : [])),
  );
  faults.expectSame(`the file of ${label}`, await reader.fileHash(job.id), {
    status: 200,
    sha256: sha256(fileOf(plan)),
  });
}
