import { median } from '../median.ts';
import { type Cost, medianCost } from '../process/measure.ts';
import type { Result } from '../suite.ts';
import { threeDigits } from '../three-digits.ts';
import type { Round } from './against-yardsticks.ts';
import { costRow } from './cost-row.ts';
import { ingestTargets } from './ingest-targets.ts';
import type { Scans } from './measure-ingestion.ts';

const TOO_LONG = 'cannot: no string of V8 is so long';

/** One tenant and a file store beside the yardsticks, medians of the rounds, and what was to be reached. */
export function againstYardsticksResult({ fresh, again }: Scans, rounds: readonly Round[]): Result {
  const of = (cost: (round: Round) => Cost) => medianCost(rounds.map(cost));
  const whole = rounds.flatMap(({ wholeFile }) => wholeFile ?? []);
  const ofWhole = (cost: (each: (typeof whole)[number]) => Cost) =>
    whole.length === 0 ? TOO_LONG : medianCost(whole.map(cost));
  const costs = [
    ['Sluice, new findings', of(({ ours }) => ours.fresh), fresh],
    ['Sluice, the same findings again', of(({ ours }) => ours.repeated), again],
    ['(a) JSON.parse of the whole file', ofWhole(({ parsed }) => parsed), fresh],
    ['(b) split, and JSON.parse of each record', of(({ parsedRecords }) => parsedRecords), fresh],
    ['(c) COPY of the raw records into a bare jsonb table', of(({ copiedRaw }) => copiedRaw), fresh],
    ['(d) COPY of the finished rows into the findings', of(({ copiedRows }) => copiedRows), fresh],
    ['(e) usual service, new findings', ofWhole(({ usual }) => usual.fresh), fresh],
    ['(e) usual service, the same findings again', ofWhole(({ usual }) => usual.repeated), again],
  ] as const;
  return {
    title: `ingest: ${fresh.records} records, ${threeDigits(fresh.bytes / 1e6)} MB, one tenant, file store, from the first byte sent to the end of the job; median of ${rounds.length}`,
    rows: costs.map(([what, cost, file]) => costRow(what, file, cost)),
    targets: ingestTargets(fresh.records, rounds),
  };
}

/** Where the bytes of new findings are. */
export function storageResult(records: number, rounds: readonly Round[]): Result {
  const perRecord = (value: (round: Round) => number) =>
    threeDigits(median(rounds.map((round) => value(round) / records)));
  const total = ({ storage }: Round) => storage.blobs + storage.rows + storage.indexes;
  const row = (what: string, value: (round: Round) => number) => ({
    what,
    'B/finding': perRecord(value),
    'share of (c)': threeDigits(median(rounds.map((round) => value(round) / round.rawStorage))),
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
