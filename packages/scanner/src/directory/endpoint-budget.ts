import { setTimeout as sleep } from 'node:timers/promises';
import { RESET_MARGIN_MS, untilReset } from '../http/retry-wait.ts';

/** A limit that ends later than this is left to the 429: windows are a minute long, and a clock may be wrong. */
const MAX_HOLD_MS = 120_000;

/**
 * The path with `{id}` for each id: Okta counts rate limits by endpoint ("Rate limits by endpoint" of its reference), so
 * that the rules of all policies share one limit.
 */
export function endpointOf(path: string): string {
  return path.replace(/^(\/api\/v\d+\/[^/]+)\/[^/]+/, '$1/{id}');
}

/**
 * How many requests an endpoint still takes in the present window, as its responses say: `X-Rate-Limit-Remaining` and
 * `X-Rate-Limit-Reset` (Unix seconds). Requests under way count as used. Without these headers it takes all.
 */
export class EndpointBudget {
  #underWay = 0;
  /** The lowest remaining count of the window; `undefined`: not known. */
  #remaining: number | undefined;
  #renewedAt = 0;
  #pausedUntil = 0;
  /** The end of the wait that was reported last. */
  #reportedUntil = 0;
  #waiting: (() => void)[] = [];

  /** Resolves when a request may be sent. `onHold` is called once for each wait that a limit makes necessary, in milliseconds. */
  async turn(onHold: (milliseconds: number) => void): Promise<void> {
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

  /** Counts a request that is sent now; false where none may be sent since. */
  take(): boolean {
    if (!this.#isOpen()) return false;
    this.#underWay += 1;
    return true;
  }

  /** Ends a request; `undefined`: there was no response. */
  settle(headers: Headers | undefined): void {
    this.#underWay -= 1;
    if (headers !== undefined) this.#learn(headers);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }

  /** Holds the requests of this endpoint back, after a 429. */
  pause(milliseconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + milliseconds);
    this.#reportedUntil = Math.max(this.#reportedUntil, this.#pausedUntil);
  }

  #isOpen(): boolean {
    const now = performance.now();
    if (now < this.#pausedUntil) return false;
    if (now >= this.#renewedAt) this.#remaining = undefined;
    return this.#remaining === undefined || this.#remaining - this.#underWay > 0;
  }

  /** `undefined`: a request under way may still show that there is room. */
  #holdMs(): number | undefined {
    const now = performance.now();
    if (now < this.#pausedUntil) return this.#pausedUntil - now;
    return this.#remaining !== undefined && this.#remaining > 0 && this.#underWay > 0
      ? undefined
      : this.#renewedAt - now;
  }

  #learn(headers: Headers): void {
    const remaining = numbers(headers.get('x-rate-limit-remaining'));
    const reset = untilReset(headers);
    const isUsable = reset !== undefined && reset > RESET_MARGIN_MS && reset <= MAX_HOLD_MS;
    if (remaining.length === 0 || !isUsable) return;
    const now = performance.now();
    const lowest = Math.min(...remaining);
    // Another window: what was known of the last one is over.
    const isNew = this.#remaining === undefined || now + reset > this.#renewedAt + 2_000;
    this.#remaining = isNew ? lowest : Math.min(this.#remaining ?? lowest, lowest);
    this.#renewedAt = isNew ? now + reset : this.#renewedAt;
  }
}

/** Several limits come as one header, joined by commas. */
function numbers(header: string | null): readonly number[] {
  return (header ?? '')
    .split(',')
    .map((text) => text.trim())
    .filter((text) => /^\d+$/.test(text))
    .map(Number);
}
