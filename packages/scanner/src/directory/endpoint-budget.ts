import { setTimeout as sleep } from 'node:timers/promises';
import { listedNumbers, RESET_MARGIN_MS, untilReset } from '../http/retry-wait.ts';

/**
 * The maximum wait for a reported reset. Resets after that are ignored until a 429 response, because a window lasts one
 * minute and a clock can be wrong.
 */
const MAX_HOLD_MS = 120_000;

/**
 * Tracks the remaining requests of an endpoint in the current window, from the headers `X-Rate-Limit-Remaining` and
 * `X-Rate-Limit-Reset` (Unix seconds) of its responses. Requests in progress count as used. Without these headers there
 * is no limit.
 */
export class EndpointBudget {
  #inProgress = 0;
  /** The lowest remaining request count in the window; `undefined` if unknown. */
  #remaining: number | undefined;
  #renewedAt = 0;
  #pausedUntil = 0;
  /** The time at which the last reported wait ends. */
  #reportedUntil = 0;
  #waiting: (() => void)[] = [];

  /**
   * Resolves when a request may be sent. Calls `onHold` once per rate limit wait with the duration of the wait in
   * milliseconds.
   */
  async waitForSlot(onHold: (milliseconds: number) => void): Promise<void> {
    while (!this.#isOpen()) {
      const hold = this.#holdMs();
      if (hold === undefined) await new Promise<void>((resolve) => this.#waiting.push(resolve));
      else {
        const end = performance.now() + hold;
        if (end > this.#reportedUntil + 1_000) onHold(hold);
        this.#reportedUntil = Math.max(this.#reportedUntil, end);
        await sleep(Math.ceil(hold));
      }
    }
  }

  /** Counts a request that is about to be sent. Returns false if the limit has been used up in the meantime. */
  tryTake(): boolean {
    if (!this.#isOpen()) return false;
    this.#inProgress += 1;
    return true;
  }

  /** Ends a request. `headers` are the headers of its response, or `undefined` if there was no response. */
  settle(headers: Headers | undefined): void {
    this.#inProgress -= 1;
    if (headers !== undefined) this.#learn(headers);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }

  /** Delays the requests to this endpoint after a 429 response. */
  pause(milliseconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + milliseconds);
    this.#reportedUntil = Math.max(this.#reportedUntil, this.#pausedUntil);
  }

  #isOpen(): boolean {
    const now = performance.now();
    if (now < this.#pausedUntil) return false;
    if (now >= this.#renewedAt) this.#remaining = undefined;
    return this.#remaining === undefined || this.#remaining - this.#inProgress > 0;
  }

  /**
   * Milliseconds until the limit resets; `undefined` if the response to a request in progress may free a slot earlier.
   */
  #holdMs(): number | undefined {
    const now = performance.now();
    if (now < this.#pausedUntil) return this.#pausedUntil - now;
    return this.#remaining !== undefined && this.#remaining > 0 && this.#inProgress > 0
      ? undefined
      : this.#renewedAt - now;
  }

  #learn(headers: Headers): void {
    const remaining = listedNumbers(headers.get('x-rate-limit-remaining'));
    const reset = untilReset(headers);
    const isUsable = reset !== undefined && reset > RESET_MARGIN_MS && reset <= MAX_HOLD_MS;
    if (remaining.length === 0 || !isUsable) return;
    const now = performance.now();
    const lowest = Math.min(...remaining);
    // In a new window, the previous values no longer apply.
    const isNew = this.#remaining === undefined || now + reset > this.#renewedAt + 2_000;
    this.#remaining = isNew ? lowest : Math.min(this.#remaining ?? lowest, lowest);
    this.#renewedAt = isNew ? now + reset : this.#renewedAt;
  }
}

/**
 * The path with each ID replaced by `{id}`. Okta limits requests per endpoint (Okta reference, "Rate limits by
 * endpoint"), so the rules of all policies share one limit.
 */
export function endpointOf(path: string): string {
  return path.replace(/^(\/api\/v\d+\/[^/]+)\/[^/]+/, '$1/{id}');
}
