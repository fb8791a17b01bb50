import type { FastifyReply } from 'fastify';
import pLimit, { type LimitFunction } from 'p-limit';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Limits } from '../../config/config.ts';
import { ApiError } from '../../jsonapi/errors.ts';
import { addressBlock } from '../../lib/client-address.ts';

const WINDOW_SECONDS = 60;

/** The rate limits of this process, counted in one-minute windows. */
export interface RateLimits {
  /**
   * Counts a request and adds the headers `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10).
   * Throws an ApiError (429) if the key has exceeded its request limit for the current minute.
   */
  countRequest(keyId: string, reply: FastifyReply): Promise<void>;
  /** Counts an upload, in addition to the request. */
  countUpload(keyId: string, reply: FastifyReply): Promise<void>;
  /**
   * Counts a rejected key. Throws an ApiError (429) if the address has sent too many invalid keys in the current
   * minute.
   */
  countFailedAuthentication(address: string): Promise<void>;
  /**
   * Looks up a key. If an address has sent too many invalid keys, its lookups run one at a time and thus use at most
   * one database connection.
   */
  throttleLookup<Found>(address: string, lookup: () => Promise<Found>): Promise<Found>;
}

/** Creates the rate limits of this process. A limit of 0 means no limit. */
export function createRateLimits({
  requestsPerMinute,
  uploadsPerMinute,
  failedAuthenticationsPerMinute,
}: Limits): RateLimits {
  const runInQueue = createSerialQueues();
  const failures = counter(
    'failed_authentications_per_minute',
    failedAuthenticationsPerMinute,
    (max, seen) =>
      `This address sent ${seen} invalid API keys in a minute; the maximum is ${max}. Send a valid key, or try again`,
  );
  return {
    countRequest: counter('requests_per_minute', requestsPerMinute, describeLimit('requests')).count,
    countUpload: counter('uploads_per_minute', uploadsPerMinute, describeLimit('uploads')).count,
    countFailedAuthentication: (address) => failures.count(addressBlock(address)),
    throttleLookup: async (address, lookup) => {
      const block = addressBlock(address);
      return (await failures.isUsedUp(block)) ? await runInQueue(block, lookup) : await lookup();
    },
  };
}

type DescribeLimit = (max: number, seen: number) => string;

function describeLimit(requests: string): DescribeLimit {
  return (max, seen) => `The API key sent ${seen} ${requests} in a minute; the maximum is ${max}. Try again`;
}

interface Counter {
  /** Throws an ApiError (429) if the limit is exceeded. */
  readonly count: (client: string, reply?: FastifyReply) => Promise<void>;
  /** Whether the limit has been reached. */
  readonly isUsedUp: (client: string) => Promise<boolean>;
}

function counter(limit: string, max: number, describe: DescribeLimit): Counter {
  if (max === 0) return { count: async () => {}, isUsedUp: async () => false };
  const limiter = new RateLimiterMemory({ points: max, duration: WINDOW_SECONDS, keyPrefix: limit });
  return {
    count: async (client, reply) => {
      const used = await limiter.consume(client).catch((rejection: unknown) => {
        if (rejection instanceof RateLimiterRes) return rejection;
        throw rejection;
      });
      if (reply !== undefined) addHeaders(reply, limit, max, used);
      if (used.consumedPoints > max) throw tooMany(limit, max, describe, used);
    },
    isUsedUp: async (client) => ((await limiter.get(client))?.consumedPoints ?? 0) >= max,
  };
}

/** Adds an item to the lists in both rate limit headers (RFC 9651, section 3.1). */
function addHeaders(
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
  describe: DescribeLimit,
  { consumedPoints, msBeforeNext }: RateLimiterRes,
): ApiError {
  const retryAfter = Math.max(1, Math.ceil(msBeforeNext / 1000));
  return new ApiError({
    status: 429,
    code: 'rate_limited',
    detail: `${describe(max, consumedPoints)} in ${retryAfter} ${retryAfter === 1 ? 'second' : 'seconds'}.`,
    headers: { 'retry-after': String(retryAfter) },
    meta: { limit, max, seen: consumedPoints },
  });
}

/** Runs a task after all earlier tasks of the same client, and returns the result of the task. */
type RunInQueue = <Result>(client: string, task: () => Promise<Result>) => Promise<Result>;

/** Creates queues that run each client's tasks one after another. A queue exists only while it has tasks. */
function createSerialQueues(): RunInQueue {
  const queues = new Map<string, LimitFunction>();
  return async (client, task) => {
    const queue = queues.get(client) ?? pLimit(1);
    queues.set(client, queue);
    try {
      return await queue(task);
    } finally {
      if (queue.activeCount + queue.pendingCount === 0) queues.delete(client);
    }
  };
}
