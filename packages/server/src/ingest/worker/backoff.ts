import { setTimeout as sleep } from 'node:timers/promises';
import { withJitter } from './retry-delay.ts';

const INITIAL_MS = 1000;
const MAX_MS = 30_000;

/**
 * Exponential backoff for a worker that cannot process frames. The delays start at up to one second and increase to 30
 * seconds.
 */
export class Backoff {
  #maxMs = INITIAL_MS;
  readonly #signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Returns the next delay in milliseconds. */
  next(): number {
    const ms = withJitter(this.#maxMs);
    this.#maxMs = Math.min(2 * this.#maxMs, MAX_MS);
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
    this.#maxMs = INITIAL_MS;
  }
}
