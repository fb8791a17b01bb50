import { rm } from 'node:fs/promises';
import { type AdverseFile, writeAdverseFiles } from '../adverse/write-adverse-files.ts';
import { runBaseline } from '../baselines/run-baseline.ts';
import type { BenchFile } from '../generate-file.ts';
import { costRow } from '../ingest/cost-row.ts';
import { measureIngestion } from '../ingest/measure-ingestion.ts';
import { median } from '../median.ts';
import { type Cost, medianCost } from '../process/measure.ts';
import { roundToThreeDigits } from '../round-to-three-digits.ts';
import { pidOf, withService } from '../service.ts';
import type { BenchContext, Result, Suite } from '../suite.ts';

/** An ingestion, and COPY of the records of the first scan. */
interface Round {
  readonly sluice: Cost;
  readonly copy: Cost;
}

interface MeasuredScan {
  readonly file: BenchFile;
  readonly description: string;
  readonly target: number;
  readonly rounds: Round[];
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
  const scansOf = new Map(files.map((file) => [file, scansOfFile(file)]));
  for (let round = 0; round < rounds; round++)
    for (const [file, scans] of scansOf) await measureScans(file, scans);
  const scans = [...scansOf.values()].flat();
  for (const file of [...files.map(({ raw }) => raw), ...scans.map(({ file }) => file.path)])
    await rm(file, { force: true });
  return {
    title: `adverse files: from the first byte sent to completion, compared with COPY of the same records into a bare jsonb table; median of ${rounds} rounds`,
    rows: scans.map(({ description, file, rounds }) => ({
      ...costRow(description, file, medianCost(rounds.map(({ sluice }) => sluice))),
      'COPY seconds': roundToThreeDigits(median(rounds.map(({ copy }) => copy.seconds))),
      'speed relative to COPY': roundToThreeDigits(median(rounds.map(relativeSpeed))),
    })),
    targets: scans.map(({ description, file, rounds, target }) => ({
      measure: `ingest, ${description}: speed relative to COPY, ${file.records} records`,
      rounds: rounds.map(relativeSpeed),
      bound: 'at least',
      target,
    })),
  };
}

function scansOfFile(file: AdverseFile): readonly MeasuredScan[] {
  const { description, target, again } = file;
  const first = { file, description, target, rounds: [] };
  return again === undefined
    ? [first]
    : [first, { file: again, description: `${description}; again`, target: again.target, rounds: [] }];
}

/** Measures the scans with a new service, whose PostgreSQL is also used for COPY. */
async function measureScans({ raw, records }: AdverseFile, scans: readonly MeasuredScan[]): Promise<void> {
  await withService(async (service) => {
    const ingest = (file: BenchFile) =>
      measureIngestion([pidOf(service)], service, { keys: [service.key], file });
    const measured: { readonly scan: MeasuredScan; readonly sluice: Cost }[] = [];
    for (const scan of scans) measured.push({ scan, sluice: await ingest(scan.file) });
    const copy = await runBaseline('copy-raw-records', service, { path: raw, records });
    for (const { scan, sluice } of measured) scan.rounds.push({ sluice, copy });
  });
}

function relativeSpeed({ sluice, copy }: Round): number {
  return copy.seconds / sluice.seconds;
}
