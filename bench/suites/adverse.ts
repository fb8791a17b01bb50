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
  readonly sluice: Cost;
  readonly copy: Cost;
}

/** Unfavorable files, compared with COPY of the same records. */
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
    title: `adverse files: from the first byte sent to completion, compared with COPY of the same records into a bare jsonb table; median of ${rounds} rounds`,
    rows: [...measured].map(([file, costs]) => ({
      ...costRow(file.description, file, medianCost(costs.map(({ sluice }) => sluice))),
      'COPY seconds': roundToThreeDigits(median(costs.map(({ copy }) => copy.seconds))),
      'speed relative to COPY': roundToThreeDigits(median(costs.map(relativeSpeed))),
    })),
    targets: [...measured].map(([file, costs]) => targetOf(file, costs)),
  };
}

/** Measures a file with a new service, whose PostgreSQL is also used for COPY. */
async function measureFile(file: AdverseFile): Promise<Round> {
  return await withService(async (service) => {
    const sluice = await measureIngestion([pidOf(service)], service, { keys: [service.key], file });
    const copy = await runBaseline('copy-raw-records', service, { path: file.raw, records: file.records });
    return { sluice, copy };
  });
}

function relativeSpeed({ sluice, copy }: Round): number {
  return copy.seconds / sluice.seconds;
}

function targetOf({ description, records, target }: AdverseFile, costs: readonly Round[]): Target {
  return {
    measure: `ingest, ${description}: speed relative to COPY, ${records} records`,
    rounds: costs.map(relativeSpeed),
    bound: 'at least',
    target,
  };
}
