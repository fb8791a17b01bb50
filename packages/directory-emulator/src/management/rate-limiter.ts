import type { RateLimit } from '../options.ts';

/** The limit to report if none is configured, because real directories always report a limit. */
const DEFAULT_RATE_LIMIT: RateLimit = { requestsPerWindow: 1_000_000, windowSeconds: 60 };

export interface RateLimitOptions {
  readonly isPerEndpoint: boolean;
  readonly limit: RateLimit | undefined;
  readonly limitsByEndpoint: Readonly<Record<string, RateLimit>>;
}

/** The rate limits of an organization: one for the whole management API, or one per endpoint as in Okta. */
export class RateLimits {
  readonly #options: RateLimitOptions;
  readonly #limiters = new Map<string, RateLimiter>();

  constructor(options: RateLimitOptions) {
    this.#options = options;
  }

  /** Counts a request to an endpoint, identified by its route pattern. */
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

/** Counts requests in fixed time windows. The first window starts with the first request. */
class RateLimiter {
  readonly #limit: RateLimit;
  #used = 0;
  /** End of the window in Unix seconds. It is an integer, so that the response header can report it exactly. */
  #reset = 0;

  constructor(limit: RateLimit = DEFAULT_RATE_LIMIT) {
    this.#limit = limit;
  }

  /** Counts a request. Returns the rate limit headers of its response. */
  take(): { readonly exceeded: boolean; readonly headers: Readonly<Record<string, string>> } {
    const now = Date.now() / 1000;
    if (now >= this.#reset) {
      this.#used = 0;
      this.#reset = Math.ceil(now + this.#limit.windowSeconds);
    }
    this.#used += 1;
    const { requestsPerWindow } = this.#limit;
    return {
      exceeded: this.#used > requestsPerWindow,
      headers: {
        'X-Rate-Limit-Limit': String(requestsPerWindow),
        'X-Rate-Limit-Remaining': String(Math.max(0, requestsPerWindow - this.#used)),
        'X-Rate-Limit-Reset': String(this.#reset),
      },
    };
  }
}
