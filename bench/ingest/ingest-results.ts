import type { BenchFile } from '../generate-file.ts';
import type { Scans } from '../generate-scans.ts';
import { median } from '../median.ts';
import { type Cost, medianCost } from '../process/measure.ts';
import { roundToThreeDigits } from '../round-to-three-digits.ts';
import type { Result } from '../suite.ts';
import type { Round } from './compare-with-baselines.ts';
import { costRow } from './cost-row.ts';
import { ingestTargets } from './ingest-targets.ts';

const TOO_LARGE = 'exceeds the maximum string length of V8';

/** Compares Sluice (one tenant, file store) with the baselines: medians of the rounds, and targets. */
export function describeBaselines({ fresh, repeated }: Scans, rounds: readonly Round[]): Result {
  const row = (label: string, file: BenchFile, costOf: (round: Round) => Cost | undefined) => {
    const costs = rounds.flatMap((round) => costOf(round) ?? []);
    if (costs.length === 0) return costRow(label, file, TOO_LARGE);
    const times = rounds.map((round) => (costOf(round)?.seconds ?? Number.NaN) / round.sluice.fresh.seconds);
    return {
      ...costRow(label, file, medianCost(costs)),
      'ratio to Sluice, new': roundToThreeDigits(median(times)),
    };
  };
  return {
    title: `ingest: ${fresh.records} records, ${roundToThreeDigits(fresh.bytes / 1e6)} MB, one tenant, file store, from the first byte sent to completion; median of ${rounds.length} rounds`,
    rows: [
      row('Sluice, new findings', fresh, ({ sluice }) => sluice.fresh),
      row('Sluice, repeated findings', repeated, ({ sluice }) => sluice.repeated),
      row('(a) JSON.parse of the whole file', fresh, ({ wholeFile }) => wholeFile?.parsed),
      row('(b) splitting, and JSON.parse of each record', fresh, ({ parsedRecords }) => parsedRecords),
      row('(c) COPY of the raw records into a bare jsonb table', fresh, ({ copiedRaw }) => copiedRaw),
      row('(d) COPY of the finished rows into the findings', fresh, ({ copiedRows }) => copiedRows),
      row('(e) naive baseline, new findings', fresh, ({ wholeFile }) => wholeFile?.naive.fresh),
      row('(e) naive baseline, repeated findings', repeated, ({ wholeFile }) => wholeFile?.naive.repeated),
    ],
    targets: ingestTargets(fresh.records, rounds),
  };
}

/** Disk space of new findings. */
export function describeStorage(records: number, rounds: readonly Round[]): Result {
  const perRecord = (value: (round: Round) => number) =>
    roundToThreeDigits(median(rounds.map((round) => value(round) / records)));
  const total = ({ storage }: Round) => storage.blobs + storage.rows + storage.indexes;
  const row = (label: string, value: (round: Round) => number) => ({
    part: label,
    'B/finding': perRecord(value),
    'ratio to (c)': roundToThreeDigits(median(rounds.map((round) => value(round) / round.rawStorage))),
  });
  return {
    title: `storage: bytes on disk per finding, ${records} new findings`,
    rows: [
      row('blob', ({ storage }) => storage.blobs),
      row('rows', ({ storage }) => storage.rows),
      row('indexes', ({ storage }) => storage.indexes),
      row('total', total),
      row('(c) bare jsonb table', ({ rawStorage }) => rawStorage),
    ],
  };
}
