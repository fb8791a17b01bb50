import type { Cost } from '../process/measure.ts';
import type { Target } from '../suite.ts';
import type { Round } from './compare-with-baselines.ts';

type WholeFile = NonNullable<Round['wholeFile']>;

/** The ingestion targets: memory limits, and ratios of two measurements from the same round. */
export function ingestTargets(records: number, rounds: readonly Round[]): Target[] {
  const target = (measure: string, bound: Target['bound'], value: number, of: (round: Round) => number) => ({
    measure: `${measure}, ${records} records`,
    rounds: rounds.map(of),
    bound,
    target: value,
  });
  const againstWholeFile = (
    measure: string,
    bound: Target['bound'],
    value: number,
    of: (wholeFile: WholeFile, round: Round) => number,
  ) => {
    // The baselines cannot read files above the maximum string length.
    const values = rounds.flatMap((round) =>
      round.wholeFile === undefined ? [] : [of(round.wholeFile, round)],
    );
    return values.length === 0
      ? []
      : [{ measure: `${measure}, ${records} records`, rounds: values, bound, target: value }];
  };
  const speed = ({ sluice }: Round, than: Cost) => than.seconds / sluice.fresh.seconds;
  return [
    ...againstWholeFile('ingest, new: speed relative to (a)', 'at least', 1, ({ parsed }, round) =>
      speed(round, parsed),
    ),
    target('ingest, new: speed relative to (c)', 'at least', 4, (round) => speed(round, round.copiedRaw)),
    ...againstWholeFile(
      'ingest, new: speed relative to the naive baseline (e)',
      'at least',
      8,
      ({ naive }, round) => speed(round, naive.fresh),
    ),
    ...againstWholeFile(
      'ingest, new: peak memory relative to the naive baseline (e)',
      'at most',
      0.25,
      ({ naive }, { sluice }) => sluice.fresh.peakMiB / naive.fresh.peakMiB,
    ),
    target(
      'ingest, repeated: speed relative to new',
      'at least',
      0.9,
      ({ sluice }) => sluice.fresh.seconds / sluice.repeated.seconds,
    ),
    target(
      'process memory: peak MB',
      'at most',
      300,
      ({ sluice }) => (Math.max(sluice.fresh.peakMiB, sluice.repeated.peakMiB) * 2 ** 20) / 1e6,
    ),
    target(
      'storage on disk: ratio to (c)',
      'at most',
      0.25,
      ({ storage, rawStorage }) => (storage.blobs + storage.rows + storage.indexes) / rawStorage,
    ),
  ];
}
