import type { BenchFile } from '../generate-file.ts';
import type { Scans } from '../generate-scans.ts';
import { median } from '../median.ts';
import { type Cost, medianCost } from '../process/measure.ts';
import { roundToThreeDigits } from '../round-to-three-digits.ts';
import type { Result } from '../suite.ts';
import type { Round } from './compare-with-baselines.ts';
import { costRow } from './cost-row.ts';
import { ingestTargets } from './ingest-targets.ts';

const TOO_LONG = 'cannot: no string of V8 is so long';

/** One tenant and a file store beside the yardsticks, medians of the rounds, and what was to be reached. */
export function describeBaselines({ fresh, again }: Scans, rounds: readonly Round[]): Result {
  const row = (what: string, file: BenchFile, costOf: (round: Round) => Cost | undefined) => {
    const costs = rounds.flatMap((round) => costOf(round) ?? []);
    if (costs.length === 0) return costRow(what, file, TOO_LONG);
    const times = rounds.map((round) => (costOf(round)?.seconds ?? Number.NaN) / round.ours.fresh.seconds);
    return {
      ...costRow(what, file, medianCost(costs)),
      's, times those of Sluice, new': roundToThreeDigits(median(times)),
    };
  };
  return {
    title: `ingest: ${fresh.records} records, ${roundToThreeDigits(fresh.bytes / 1e6)} MB, one tenant, file store, from the first byte sent to the end of the job; median of ${rounds.length}`,
    rows: [
      row('Sluice, new findings', fresh, ({ ours }) => ours.fresh),
      row('Sluice, the same findings again', again, ({ ours }) => ours.repeated),
      row('(a) JSON.parse of the whole file', fresh, ({ wholeFile }) => wholeFile?.parsed),
      row('(b) split, and JSON.parse of each record', fresh, ({ parsedRecords }) => parsedRecords),
      row('(c) COPY of the raw records into a bare jsonb table', fresh, ({ copiedRaw }) => copiedRaw),
      row('(d) COPY of the finished rows into the findings', fresh, ({ copiedRows }) => copiedRows),
      row('(e) usual service, new findings', fresh, ({ wholeFile }) => wholeFile?.naive.fresh),
      row('(e) usual service, the same findings again', again, ({ wholeFile }) => wholeFile?.naive.repeated),
    ],
    targets: ingestTargets(fresh.records, rounds),
  };
}

/** Where the bytes of new findings are. */
export function describeStorage(records: number, rounds: readonly Round[]): Result {
  const perRecord = (value: (round: Round) => number) =>
    roundToThreeDigits(median(rounds.map((round) => value(round) / records)));
  const total = ({ storage }: Round) => storage.blobs + storage.rows + storage.indexes;
  const row = (what: string, value: (round: Round) => number) => ({
    what,
    'B/finding': perRecord(value),
    'share of (c)': roundToThreeDigits(median(rounds.map((round) => value(round) / round.rawStorage))),
  });
  return {
    title: `storage: bytes on disk per finding, ${records} new findings`,
    rows: [
      row('blob', ({ storage }) => storage.blobs),
      row('rows', ({ storage }) => storage.rows),
      row('indexes', ({ storage }) => storage.indexes),
      row('all of it', total),
      row('(c) the bare jsonb table', ({ rawStorage }) => rawStorage),
    ],
  };
}
