import { rm } from 'node:fs/promises';
import { createClient } from '../../packages/server/test/support/client.ts';
import { createSandbox } from '../../packages/server/test/support/sandbox.ts';
import { type BenchFile, generateFile } from '../generate-file.ts';
import { median } from '../median.ts';
import { NO_SIZE_LIMITS } from '../no-size-limits.ts';
import { roundToThreeDigits } from '../round-to-three-digits.ts';
import { type Ingested, ingestFile } from '../service.ts';
import type { BenchContext, Result, Target } from '../suite.ts';
import { logarithmicSlope } from './logarithmic-slope.ts';

const SLOPE_TARGET = 1.05;
const MEMORY_TARGET_MB = 300;
const MB_PER_MIB = 2 ** 20 / 1e6;

interface Size {
  readonly file: BenchFile;
  readonly runs: Ingested[];
}

/** Measures the ingestion of files of increasing size, each by a new service with an empty database. */
export async function measureFileSizes(
  { folder, rounds }: Pick<BenchContext, 'folder' | 'rounds'>,
  records: readonly number[],
): Promise<readonly Result[]> {
  const sizes: Size[] = [];
  for (const count of records)
    sizes.push({ file: await generateFile(folder, count, { indent: 0 }), runs: [] });
  for (let round = 0; round < rounds; round++) {
    for (const { file, runs } of sizes) runs.push(await ingestOnEmpty(file));
  }
  for (const { file } of sizes) await rm(file.path);
  return [describeSizes(sizes, rounds), describeSlopes(sizes, rounds)];
}

/** Ingests the file in a new service with an empty database. */
export async function ingestOnEmpty(file: BenchFile): Promise<Ingested> {
  const sandbox = createSandbox();
  try {
    const service = await sandbox.startService(NO_SIZE_LIMITS);
    return await ingestFile(service, createClient(service.url, service.key), file.path);
  } finally {
    await sandbox.clear();
  }
}

function describeSizes(sizes: readonly Size[], rounds: number): Result {
  return {
    title: `growth: files of compact JSON, each ingested by a new service; medians of ${rounds} rounds`,
    rows: sizes.map(({ file, runs }) => {
      const seconds = median(runs.map(({ ended }) => ended));
      return {
        records: file.records,
        MB: roundToThreeDigits(file.bytes / 1e6),
        'seconds to completion': roundToThreeDigits(seconds),
        'records/s': Math.round(file.records / seconds),
        'service peak MiB': Math.round(Math.max(...runs.map(({ peakMiB }) => peakMiB))),
      };
    }),
    targets: [
      {
        measure: `service peak MB, files of ${sizes.map(({ file }) => file.records).join(', ')} records`,
        rounds: perRound(
          rounds,
          (round) => MB_PER_MIB * Math.max(...sizes.map(({ runs }) => runs[round]?.peakMiB ?? Number.NaN)),
        ),
        bound: 'at most',
        target: MEMORY_TARGET_MB,
      },
    ],
  };
}

function describeSlopes(sizes: readonly Size[], rounds: number): Result {
  // The fixed cost of a job dominates the results of the smaller files and flattens the curve, so the slope without
  // them is also shown.
  const ranges = [sizes, sizes.slice(2)].filter(({ length }) => length > 1);
  const targets = ranges.map((range): Target => {
    const slopeOf = (round: number) =>
      logarithmicSlope(range.map(({ file, runs }) => [file.records, runs[round]?.ended ?? Number.NaN]));
    return {
      measure: `slope, ${range[0]?.file.records} to ${range.at(-1)?.file.records} records`,
      rounds: perRound(rounds, slopeOf),
      bound: 'at most',
      target: SLOPE_TARGET,
    };
  });
  return {
    title: 'growth: slope of log(seconds) over log(records), by least squares; 1 is linear',
    rows: targets.map((target) => ({
      range: target.measure,
      median: roundToThreeDigits(median(target.rounds)),
      minimum: roundToThreeDigits(Math.min(...target.rounds)),
      maximum: roundToThreeDigits(Math.max(...target.rounds)),
    })),
    targets: targets.slice(0, 1),
  };
}

function perRound(rounds: number, value: (round: number) => number): number[] {
  return Array.from({ length: rounds }, (_, round) => value(round));
}
