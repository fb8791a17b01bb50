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

const SLOPE = 1.05;
const MEMORY_MB = 300;
const MB_PER_MIB = 2 ** 20 / 1e6;

interface Size {
  readonly file: BenchFile;
  readonly runs: Ingested[];
}

/** Files of growing size, each ingested by a service of its own with an empty database. */
export async function measureFileSizes(
  { folder, rounds }: Pick<BenchContext, 'folder' | 'rounds'>,
  records: readonly number[],
): Promise<readonly Result[]> {
  const sizes: Size[] = [];
  for (const number of records)
    sizes.push({ file: await generateFile(folder, number, { indent: 0 }), runs: [] });
  for (let round = 0; round < rounds; round++) {
    for (const { file, runs } of sizes) runs.push(await ingestOnEmpty(file));
  }
  for (const { file } of sizes) await rm(file.path);
  return [describeSizes(sizes, rounds), describeSlopes(sizes, rounds)];
}

/** By a service that has done nothing before. */
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
    title: `Growth: files of compact JSON, each on an empty service of its own; medians of ${rounds}`,
    rows: sizes.map(({ file, runs }) => {
      const seconds = median(runs.map(({ ended }) => ended));
      return {
        records: file.records,
        MB: roundToThreeDigits(file.bytes / 1e6),
        's to the end of the job': roundToThreeDigits(seconds),
        'records/s': Math.round(file.records / seconds),
        'peak MiB of the service': Math.round(Math.max(...runs.map(({ peakMiB }) => peakMiB))),
      };
    }),
    targets: [
      {
        measure: `peak MB of the service, files of ${sizes.map(({ file }) => file.records).join(', ')} records`,
        rounds: perRound(
          rounds,
          (round) => MB_PER_MIB * Math.max(...sizes.map(({ runs }) => runs[round]?.peakMiB ?? Number.NaN)),
        ),
        bound: 'at most',
        target: MEMORY_MB,
      },
    ],
  };
}

function describeSlopes(sizes: readonly Size[], rounds: number): Result {
  // What every job begins with is a part of the smaller files' time, and flattens the line.
  const ranges = [sizes, sizes.slice(2)].filter(({ length }) => length > 1);
  const targets = ranges.map((range): Target => {
    const slopeOf = (round: number) =>
      logarithmicSlope(range.map(({ file, runs }) => [file.records, runs[round]?.ended ?? Number.NaN]));
    return {
      measure: `slope, ${range[0]?.file.records} to ${range.at(-1)?.file.records} records`,
      rounds: perRound(rounds, slopeOf),
      bound: 'at most',
      target: SLOPE,
    };
  });
  return {
    title:
      'Growth: slope of log(seconds) over log(records), by least squares; 1 is twice the time for twice the records',
    rows: targets.map((target) => ({
      what: target.measure,
      median: roundToThreeDigits(median(target.rounds)),
      least: roundToThreeDigits(Math.min(...target.rounds)),
      most: roundToThreeDigits(Math.max(...target.rounds)),
    })),
    targets: targets.slice(0, 1),
  };
}

function perRound(rounds: number, value: (round: number) => number): number[] {
  return Array.from({ length: rounds }, (_, round) => value(round));
}
