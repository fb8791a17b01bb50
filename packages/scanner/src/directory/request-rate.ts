import { setTimeout as sleep } from 'node:timers/promises';

/** A token bucket for all requests of a scan, in FIFO order. */
export class RequestRate {
  readonly #perSecond: number;
  readonly #capacity: number;
  #tokens: number;
  #filledAt = performance.now();
  #last: Promise<void> = Promise.resolve();

  /** A `perSecond` value of 0 means no limit. */
  constructor(perSecond: number) {
    this.#perSecond = perSecond;
    this.#capacity = Math.max(1, perSecond);
    this.#tokens = this.#capacity;
  }

  /** Resolves when the next request may be sent. */
  acquire(): Promise<void> {
    this.#last = this.#last.then(() => this.#next());
    return this.#last;
  }

  async #next(): Promise<void> {
    for (;;) {
      if (this.#perSecond === 0) return;
      const now = performance.now();
      this.#tokens = Math.min(
        this.#capacity,
        this.#tokens + ((now - this.#filledAt) / 1000) * this.#perSecond,
      );
      this.#filledAt = now;
      if (this.#tokens >= 1) {
        this.#tokens -= 1;
        return;
      }
      await sleep(Math.ceil(((1 - this.#tokens) / this.#perSecond) * 1000));
    }
  }
}
