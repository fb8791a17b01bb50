import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Limits } from '../config.ts';
import { ApiError } from '../jsonapi/errors.ts';
import { addressBlock } from './client-address.ts';
import { createTurns } from './turns.ts';

const WINDOW_SECONDS = 60;

/** Counts in this process, over windows of a minute. */
export interface RateLimits {
  /** Throws an ApiError (429) when the key has used up its requests of this minute. */
  countRequest(keyId: string): Promise<void>;
  /** The same for uploads. */
  countUpload(keyId: string): Promise<void>;
  /** Counts a key that was not accepted; throws when its address has had too many of them in this minute. */
  countFailedAuthentication(address: string): Promise<void>;
  /**
   * Looks a key up: at once, or, for an address that has had too many refused, after its look-ups before, so that
   * thousands of them take one connection to the database from the others and not all.
   */
  inTurn<Found>(address: string, lookUp: () => Promise<Found>): Promise<Found>;
}

export function createRateLimits({
  requestsPerMinute,
  uploadsPerMinute,
  failedAuthenticationsPerMinute,
}: Limits): RateLimits {
  const inTurn = createTurns();
  const failures = counter(
    'failed_authentications_per_minute',
    failedAuthenticationsPerMinute,
    (max, seen) =>
      `From this address ${max} API keys a minute may be refused, and ${seen} were; a valid key is let in all the same. Try again`,
  );
  return {
    countRequest: counter('requests_per_minute', requestsPerMinute, wordsOf('requests')).count,
    countUpload: counter('uploads_per_minute', uploadsPerMinute, wordsOf('uploads')).count,
    countFailedAuthentication: (address) => failures.count(addressBlock(address)),
    inTurn: async (address, lookUp) => {
      const block = addressBlock(address);
      return (await failures.isUsedUp(block)) ? await inTurn(block, lookUp) : await lookUp();
    },
  };
}

type Words = (max: number, seen: number) => string;

function wordsOf(what: string): Words {
  return (max, seen) => `This API key may send ${max} ${what} a minute and has sent ${seen}; try again`;
}

interface Counter {
  /** Throws an ApiError (429) for one more than there may be. */
  readonly count: (whose: string) => Promise<void>;
  /** Whether one more would be too many. */
  readonly isUsedUp: (whose: string) => Promise<boolean>;
}

function counter(limit: string, max: number, words: Words): Counter {
  if (max === 0) return { count: async () => {}, isUsedUp: async () => false };
  const limiter = new RateLimiterMemory({ points: max, duration: WINDOW_SECONDS, keyPrefix: limit });
  return {
    count: async (whose) => {
      try {
        await limiter.consume(whose);
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        throw tooMany(limit, max, words, refusal);
      }
    },
    isUsedUp: async (whose) => ((await limiter.get(whose))?.consumedPoints ?? 0) >= max,
  };
}

function tooMany(
  limit: string,
  max: number,
  words: Words,
  { consumedPoints, msBeforeNext }: RateLimiterRes,
): ApiError {
  const retryAfter = Math.max(1, Math.ceil(msBeforeNext / 1000));
  return new ApiError({
    status: 429,
    code: 'rate_limited',
    title: 'Too many requests',
    detail: `${words(max, consumedPoints)} in ${retryAfter} s`,
    headers: { 'retry-after': String(retryAfter) },
    meta: { limit, max, seen: consumedPoints },
  });
}
