import { median } from '../median.ts';
import { roundToThreeDigits } from '../round-to-three-digits.ts';

export interface Times {
  readonly measured: string;
  readonly load: string;
  /** The values of all rounds, because a single round has too few values for a 99th percentile. */
  readonly ms: readonly number[];
  /** The corresponding values of the plain handler, if there are any. */
  readonly plain?: readonly number[];
}

export function describeTimes({ measured, load, ms, plain }: Times): Record<string, string | number> {
  return {
    measured,
    load,
    count: ms.length,
    'median ms': roundToThreeDigits(median(ms)),
    'p99 ms': roundToThreeDigits(percentile(ms, 0.99)),
    'max ms': roundToThreeDigits(Math.max(...ms)),
    'ratio to plain handler': plain === undefined ? '-' : roundToThreeDigits(median(ms) / median(plain)),
  };
}

/** Returns a percentile. For example, with a `share` of 0.99, 99% of the values are less than or equal to it. */
function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
