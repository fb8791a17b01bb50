import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Limits } from '../config.ts';
import { ApiError } from '../jsonapi/errors.ts';

const WINDOW_SECONDS = 60;

/** Counts per API key, in this process, over windows of a minute. */
export interface RateLimits {
  /** Throws an ApiError (429) when the key has used up its requests of this minute. */
  countRequest(keyId: string): Promise<void>;
  /** The same for uploads. */
  countUpload(keyId: string): Promise<void>;
}

export function createRateLimits({ requestsPerMinute, uploadsPerMinute }: Limits): RateLimits {
  return {
    countRequest: counter('requests_per_minute', requestsPerMinute, 'requests'),
    countUpload: counter('uploads_per_minute', uploadsPerMinute, 'uploads'),
  };
}

function counter(limit: string, max: number, what: string): (keyId: string) => Promise<void> {
  if (max === 0) return async () => {};
  const limiter = new RateLimiterMemory({ points: max, duration: WINDOW_SECONDS, keyPrefix: limit });
  return async (keyId) => {
    try {
      await limiter.consume(keyId);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw tooMany(limit, max, what, refusal);
    }
  };
}

function tooMany(
  limit: string,
  max: number,
  what: string,
  { consumedPoints, msBeforeNext }: RateLimiterRes,
): ApiError {
  const retryAfter = Math.max(1, Math.ceil(msBeforeNext / 1000));
  return new ApiError({
    status: 429,
    code: 'rate_limited',
    title: 'Too many requests',
    detail: `This API key may send ${max} ${what} a minute and has sent ${consumedPoints}; try again in ${retryAfter} s`,
    headers: { 'retry-after': String(retryAfter) },
    meta: { limit, max, seen: consumedPoints },
  });
}
