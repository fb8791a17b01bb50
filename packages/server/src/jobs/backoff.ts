import { setTimeout as sleep } from 'node:timers/promises';
import { spread } from './retry-delay.ts';

const FIRST_MS = 1000;
const LONGEST_MS = 30_000;

/** The rests of a worker that cannot work: a second or less at first, then ever longer, until work succeeds again. */
export class Backoff {
  #longestMs = FIRST_MS;
  readonly #signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** How long the next one is, in milliseconds. */
  next(): number {
    const ms = spread(this.#longestMs);
    this.#longestMs = Math.min(2 * this.#longestMs, LONGEST_MS);
    return ms;
  }

  /** Resolves after the rest, or with the signal. Not even an upload ends it: it could not be worked on. */
  async rest(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#signal }).catch((error: unknown) => {
      if (!this.#signal.aborted) throw error;
    });
  }

  /** Work has succeeded: what comes is short again. */
  end(): void {
    this.#longestMs = FIRST_MS;
  }
}
