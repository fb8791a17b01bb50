import { setTimeout as sleep } from 'node:timers/promises';
import type { AttemptOutcome } from './claim.ts';

const INITIAL_BACKOFF_MS = 1000;
const MAX_BACKOFF_MS = 30_000;
const MAX_RETRY_MS = 600_000;

/**
 * Exponential backoff for a worker that cannot process frames. The delays start at up to one second and increase to 30
 * seconds.
 */
export class Backoff {
  #maxMs = INITIAL_BACKOFF_MS;
  readonly #signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Returns the next delay in milliseconds. */
  next(): number {
    const ms = withJitter(this.#maxMs);
    this.#maxMs = Math.min(2 * this.#maxMs, MAX_BACKOFF_MS);
    return ms;
  }

  /**
   * Resolves after the delay or when the signal fires. New uploads do not end the delay, because they could not be
   * processed.
   */
  async wait(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#signal }).catch((error: unknown) => {
      if (!this.#signal.aborted) throw error;
    });
  }

  /** Resets the delay. Call it after successful work. */
  reset(): void {
    this.#maxMs = INITIAL_BACKOFF_MS;
  }
}

/**
 * Maximum delay, in milliseconds, before a frame is retried after this many failures or interruptions. For failures, it
 * starts at 200 ms and doubles each time. For interruptions, it starts at one second and doubles from the third on. It
 * never exceeds ten minutes.
 */
export function maxRetryDelay(outcome: Exclude<AttemptOutcome, 'not_counted'>, times: number): number {
  const [initialMs, doublings] = outcome === 'failure' ? [200, times - 1] : [1000, times - 2];
  return Math.min(MAX_RETRY_MS, initialMs * 2 ** Math.max(0, doublings));
}

/**
 * Returns a random delay between half the maximum and the maximum, so that simultaneous failures are not retried
 * together.
 */
export function withJitter(maxMs: number): number {
  return Math.round((maxMs * (1 + Math.random())) / 2);
}
