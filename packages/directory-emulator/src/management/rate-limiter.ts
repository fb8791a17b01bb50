import type { RateLimit } from '../options.ts';

/** Announced where no limit is asked for: real directories always announce one. */
export const GENEROUS: RateLimit = { requestsPerWindow: 1_000_000, windowSeconds: 60 };

/** Counts requests in windows, the first of which begins with the first request. */
export class RateLimiter {
  readonly #limit: RateLimit;
  #used = 0;
  /** Seconds since 1970: the window ends at a full second, which is what can be announced. */
  #reset = 0;

  constructor(limit: RateLimit = GENEROUS) {
    this.#limit = limit;
  }

  /** Counts one request, and returns what its response must report. */
  take(): { readonly refused: boolean; readonly headers: Readonly<Record<string, string>> } {
    const now = Date.now() / 1000;
    if (now >= this.#reset) {
      this.#used = 0;
      this.#reset = Math.ceil(now + this.#limit.windowSeconds);
    }
    this.#used += 1;
    const { requestsPerWindow } = this.#limit;
    return {
      refused: this.#used > requestsPerWindow,
      headers: {
        'X-Rate-Limit-Limit': String(requestsPerWindow),
        'X-Rate-Limit-Remaining': String(Math.max(0, requestsPerWindow - this.#used)),
        'X-Rate-Limit-Reset': String(this.#reset),
      },
    };
  }
}

/** The rate limits of an organization: one for the whole management API, or one per endpoint as Okta has them. */
export class RateLimits {
  readonly #options: RateLimitOptions;
  readonly #limiters = new Map<string, RateLimiter>();

  constructor(options: RateLimitOptions) {
    this.#options = options;
  }

  /** Counts one request to an endpoint, named by its path in the router. */
  take(endpoint: string): ReturnType<RateLimiter['take']> {
    const { isPerEndpoint, limit, limitsByEndpoint } = this.#options;
    const key = isPerEndpoint ? endpoint : 'all';
    let limiter = this.#limiters.get(key);
    if (limiter === undefined) {
      limiter = new RateLimiter(limitsByEndpoint[key] ?? limit);
      this.#limiters.set(key, limiter);
    }
    return limiter.take();
  }
}

export interface RateLimitOptions {
  readonly isPerEndpoint: boolean;
  readonly limit: RateLimit | undefined;
  readonly limitsByEndpoint: Readonly<Record<string, RateLimit>>;
}
