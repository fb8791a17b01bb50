import { median } from './median.ts';
import { roundToThreeDigits } from './round-to-three-digits.ts';
import type { Result, Target } from './suite.ts';

/** Formats the targets of all results as rows: the median, the worst round, and how many rounds reached the target. */
export function targetRows(results: readonly Result[]): Result['rows'] {
  return results.flatMap(({ targets = [] }) => targets).map(rowOf);
}

function rowOf({ measure, rounds, bound, target }: Target): Result['rows'][number] {
  const isReached = (value: number) => (bound === 'at least' ? value >= target : value <= target);
  const reached = rounds.filter(isReached).length;
  return {
    measure,
    value: roundToThreeDigits(median(rounds)),
    'worst round': roundToThreeDigits(bound === 'at least' ? Math.min(...rounds) : Math.max(...rounds)),
    target: `${bound} ${target}`,
    reached: `${reached === rounds.length && reached > 0 ? 'yes' : 'no'}, ${reached} of ${rounds.length}`,
  };
}
