import type { AttemptOutcome } from './claim.ts';

const LONGEST_MS = 600_000;

/**
 * The longest pause, in milliseconds, of a frame that has come to nothing so many times: it doubles from 200 ms with each
 * failure, from a second with each try after the second that was cut off, up to ten minutes.
 */
export function maxRetryDelay(tried: Exclude<AttemptOutcome, 'nothing'>, times: number): number {
  const [firstMs, doublings] = tried === 'failure' ? [200, times - 1] : [1000, times - 2];
  return Math.min(LONGEST_MS, firstMs * 2 ** Math.max(0, doublings));
}

/** Some pause of at least half of the longest: what failed together is not tried again together. */
export function spread(longestMs: number): number {
  return Math.round((longestMs * (1 + Math.random())) / 2);
}
