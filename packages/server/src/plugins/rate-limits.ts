import type { FastifyReply } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Limits } from '../config.ts';
import { ApiError } from '../jsonapi/errors.ts';
import { addressBlock } from './client-address.ts';
import { createSerialQueues } from './serial-queues.ts';

const WINDOW_SECONDS = 60;

/** Counts in this process, over windows of a minute. */
export interface RateLimits {
  /**
   * States what is left in the headers `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10). Throws
   * an ApiError (429) when the key has used up its requests of this minute.
   */
  countRequest(keyId: string, reply: FastifyReply): Promise<void>;
  /** The same for uploads, beside the requests. */
  countUpload(keyId: string, reply: FastifyReply): Promise<void>;
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
  const inTurn = createSerialQueues();
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
  readonly count: (whose: string, reply?: FastifyReply) => Promise<void>;
  /** Whether one more would be too many. */
  readonly isUsedUp: (whose: string) => Promise<boolean>;
}

function counter(limit: string, max: number, words: Words): Counter {
  if (max === 0) return { count: async () => {}, isUsedUp: async () => false };
  const limiter = new RateLimiterMemory({ points: max, duration: WINDOW_SECONDS, keyPrefix: limit });
  return {
    count: async (whose, reply) => {
      const used = await limiter.consume(whose).catch((refusal: unknown) => {
        if (refusal instanceof RateLimiterRes) return refusal;
        throw refusal;
      });
      if (reply !== undefined) state(reply, limit, max, used);
      if (used.consumedPoints > max) throw tooMany(limit, max, words, used);
    },
    isUsedUp: async (whose) => ((await limiter.get(whose))?.consumedPoints ?? 0) >= max,
  };
}

/** One more item in the lists of both headers (RFC 9651, section 3.1). */
function state(
  reply: FastifyReply,
  limit: string,
  max: number,
  { remainingPoints, msBeforeNext }: RateLimiterRes,
): void {
  const add = (header: string, item: string) => {
    const before = reply.getHeader(header);
    reply.header(header, before === undefined ? item : `${before}, ${item}`);
  };
  add('ratelimit-policy', `"${limit}";q=${max};w=${WINDOW_SECONDS}`);
  add('ratelimit', `"${limit}";r=${remainingPoints};t=${Math.ceil(msBeforeNext / 1000)}`);
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
    detail: `${words(max, consumedPoints)} in ${retryAfter} s`,
    headers: { 'retry-after': String(retryAfter) },
    meta: { limit, max, seen: consumedPoints },
  });
}
