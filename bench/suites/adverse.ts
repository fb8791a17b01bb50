import { rm } from 'node:fs/promises';
import { type AdverseFile, writeAdverseFiles } from '../adverse/write-adverse-files.ts';
import { runBaseline } from '../baselines/run-baseline.ts';
import { costRow } from '../ingest/cost-row.ts';
import { measureIngestion } from '../ingest/measure-ingestion.ts';
import { median } from '../median.ts';
import { type Cost, medianCost } from '../process/measure.ts';
import { roundToThreeDigits } from '../round-to-three-digits.ts';
import { pidOf, withService } from '../service.ts';
import type { BenchContext, Result, Suite, Target } from '../suite.ts';

interface Round {
  readonly ours: Cost;
  readonly copied: Cost;
}

/** Files that are less kind than the generated one, beside COPY of the same records. */
export const ADVERSE: Suite = {
  name: 'adverse',
  run: async (context) => {
    const results: Result[] = [];
    for (const records of context.records) results.push(await measureFiles(context, records));
    return results;
  },
};

async function measureFiles({ folder, rounds }: BenchContext, records: number): Promise<Result> {
  const files = await writeAdverseFiles(folder, records);
  const measured = new Map<AdverseFile, Round[]>(files.map((file) => [file, []]));
  for (let round = 0; round < rounds; round++)
    for (const [file, costs] of measured) costs.push(await measureFile(file));
  for (const { path, raw } of files) for (const name of [path, raw]) await rm(name, { force: true });
  return {
    title: `adverse files: from the first byte sent to the end of the job, beside COPY of the same records into a bare jsonb table; median of ${rounds}`,
    rows: [...measured].map(([file, costs]) => ({
      ...costRow(file.what, file, medianCost(costs.map(({ ours }) => ours))),
      's COPY': roundToThreeDigits(median(costs.map(({ copied }) => copied.seconds))),
      'times as fast as COPY': roundToThreeDigits(median(costs.map(timesAsFast))),
    })),
    targets: [...measured].map(([file, costs]) => targetOf(file, costs)),
  };
}

/** On a service of its own; its PostgreSQL is that of COPY, too. */
async function measureFile(file: AdverseFile): Promise<Round> {
  return await withService(async (service) => {
    const ours = await measureIngestion([pidOf(service)], service, { keys: [service.key], file });
    const copied = await runBaseline('copy-raw-records', service, { path: file.raw, records: file.records });
    return { ours, copied };
  });
}

function timesAsFast({ ours, copied }: Round): number {
  return copied.seconds / ours.seconds;
}

function targetOf({ what, records, target }: AdverseFile, costs: readonly Round[]): Target {
  return {
    measure: `ingest, ${what}: times as fast as COPY, ${records} records`,
    rounds: costs.map(timesAsFast),
    bound: 'at least',
    target,
  };
}
