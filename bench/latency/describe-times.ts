import { median } from '../median.ts';
import { roundToThreeDigits } from '../round-to-three-digits.ts';

export interface Times {
  readonly what: string;
  readonly load: string;
  /** Of all rounds together: of the few values of one the percentile would be the largest. */
  readonly ms: readonly number[];
  /** The same from the plain handler, where that can be. */
  readonly plain?: readonly number[];
}

export function describeTimes({ what, load, ms, plain }: Times): Record<string, string | number> {
  return {
    what,
    load,
    number: ms.length,
    'median ms': roundToThreeDigits(median(ms)),
    'p99 ms': roundToThreeDigits(percentile(ms, 0.99)),
    'max ms': roundToThreeDigits(Math.max(...ms)),
    'times plain handler': plain === undefined ? '-' : roundToThreeDigits(median(ms) / median(plain)),
  };
}

/** The value that this share of the values does not exceed. */
function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
