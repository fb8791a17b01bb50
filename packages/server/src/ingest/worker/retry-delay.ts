import type { AttemptOutcome } from './claim.ts';

const MAX_RETRY_MS = 600_000;

/**
 * Maximum delay, in milliseconds, before a frame is retried after this many failures or interruptions. For failures, it
 * starts at 200 ms and doubles each time. For interruptions, it starts at one second and doubles from the third on. It
 * never exceeds ten minutes.
 */
export function maxRetryDelay(outcome: Exclude<AttemptOutcome, 'not_counted'>, times: number): number {
  const [initialMs, doublings] = outcome === 'failure' ? [200, times - 1] : [1000, times - 2];
  return Math.min(MAX_RETRY_MS, initialMs * 2 ** Math.max(0, doublings));
}

/** Returns a random delay between half the maximum and the maximum, so that simultaneous failures are not retried together. */
export function withJitter(maxMs: number): number {
  return Math.round((maxMs * (1 + Math.random())) / 2);
}
