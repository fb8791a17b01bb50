import { setTimeout as sleep } from 'node:timers/promises';
import { TokenBucket } from 'limiter';
import pLimit from 'p-limit';
import { waitAfterNetworkError, waitAfterResponse } from '../http/retry-wait.ts';
import type { Log } from '../terminal/log.ts';
import { EndpointBudget } from './endpoint-budget.ts';
import { type DirectoryResponse, NoResponseError } from './response.ts';

/** While other requests are in progress, a new nonce can already be stale (RFC 9449, section 8). */
const MAX_NONCE_RETRIES = 3;

/**
 * Enough concurrent requests to hide the latency of a distant server. With more, the rate limit would be the only
 * bottleneck.
 */
const MAX_CONCURRENT_REQUESTS = 8;

const RETRIED_STATUSES = new Set([429, 503, 504]);

/**
 * After this many consecutive requests without a response, the network is considered down and requests are not retried.
 */
const MAX_FAILED_REQUESTS = 3;

/** Request counts for the directory. */
export interface RequestCounts {
  /** Requests to the management API, including retries. */
  api: number;
  /** Requests to the token endpoint, including retries. */
  token: number;
  /** Retries after 429, 503, 504 and network errors. */
  retries: number;
  /** The number of rate limit waits, and their total duration. */
  waits: number;
  waitedSeconds: number;
}

/** The parameters of one request attempt. */
export interface Attempt {
  /** Aborts the attempt when the request times out; `undefined` without a timeout. */
  readonly signal: AbortSignal | undefined;
  /** Counts from 0. */
  readonly retry: number;
  /** The response to the previous attempt. */
  readonly previous: DirectoryResponse | undefined;
}

export interface TransportSettings {
  readonly requestsPerSecond: number;
  readonly maxRetries: number;
  readonly timeoutSeconds: number;
}

/** A request with its rate limit endpoint. */
export interface TransportRequest {
  readonly type: 'api' | 'token';
  /** The name of the request in messages, such as `GET /api/v1/zones`. */
  readonly name: string;
  /** All requests to the same endpoint share a rate limit. */
  readonly endpoint: string;
}

/** The state of a request across its attempts. */
interface Progress {
  /** Counts from 0. */
  retry: number;
  nonceRetries: number;
  /** The response to the last attempt. */
  previous: DirectoryResponse | undefined;
  /** Set when the first attempt starts. */
  deadline: number | undefined;
}

type Outcome =
  | { readonly response: DirectoryResponse; readonly error?: never }
  | { readonly response?: never; readonly error: NoResponseError };

/** Sends requests within the request rate and the endpoint limits, and retries after temporary failures. */
export class Transport {
  readonly counts: RequestCounts = { api: 0, token: 0, retries: 0, waits: 0, waitedSeconds: 0 };
  readonly #rate: TokenBucket;
  readonly #budgets = new Map<string, EndpointBudget>();
  readonly #limitConcurrency = pLimit(MAX_CONCURRENT_REQUESTS);
  readonly #settings: TransportSettings;
  readonly #log: Log;
  readonly #onResponse: (headers: Headers) => void;
  #failedRequests = 0;

  /** Calls `onResponse` with the headers of every response. */
  constructor(settings: TransportSettings, log: Log, onResponse: (headers: Headers) => void = () => {}) {
    this.#settings = settings;
    this.#rate = fullBucket(settings.requestsPerSecond);
    this.#log = log;
    this.#onResponse = onResponse;
  }

  /**
   * Returns the final response to a request, regardless of its status. Signs every attempt anew. Throws a
   * NoResponseError if there is no response. The timeout starts with the first attempt and does not include the wait
   * for a slot.
   */
  async send(
    request: TransportRequest,
    attempt: (attempt: Attempt) => Promise<DirectoryResponse>,
  ): Promise<DirectoryResponse> {
    const budget = this.#budgetOf(request.endpoint);
    const progress: Progress = { retry: 0, nonceRetries: 0, previous: undefined, deadline: undefined };
    const run = () => this.#sendWithRetries(request, budget, progress, attempt);
    // A request that waits for its endpoint does not occupy a slot, so requests to other endpoints continue.
    for (;;) {
      await budget.waitForSlot((milliseconds) => this.#reportHold(request.endpoint, milliseconds));
      // Token requests bypass the slots, because they occur within an attempt that already has a slot.
      const response = request.type === 'api' ? await this.#limitConcurrency(run) : await run();
      if (response !== undefined) return response;
    }
  }

  /** Retries a request until its response is final. Returns `undefined` if the limit of its endpoint is exhausted. */
  async #sendWithRetries(
    request: TransportRequest,
    budget: EndpointBudget,
    progress: Progress,
    attempt: (attempt: Attempt) => Promise<DirectoryResponse>,
  ): Promise<DirectoryResponse | undefined> {
    const { maxRetries } = this.#settings;
    while (budget.tryTake()) {
      const outcome = await this.#attempt(request, budget, progress, attempt);
      const { response } = outcome;
      if (response !== undefined && isNonceChallenge(response) && progress.nonceRetries < MAX_NONCE_RETRIES) {
        progress.nonceRetries += 1;
        continue;
      }
      const { retry, deadline = Infinity } = progress;
      const wait = response === undefined ? waitAfterNetworkError(retry) : waitBeforeRetry(response, retry);
      if (response !== undefined) this.#failedRequests = 0;
      const shouldRetry =
        wait !== undefined &&
        retry < maxRetries &&
        performance.now() + wait < deadline &&
        this.#failedRequests < MAX_FAILED_REQUESTS;
      if (!shouldRetry) {
        if (response !== undefined) return response;
        this.#failedRequests += 1;
        throw outcome.error;
      }
      progress.retry += 1;
      progress.previous = response;
      this.#reportWait(request.name, response?.status, wait);
      if (response?.status === 429) budget.pause(wait);
      else await sleep(Math.ceil(wait));
    }
    return undefined;
  }

  /** Makes one attempt when the request rate allows it. */
  async #attempt(
    request: TransportRequest,
    budget: EndpointBudget,
    progress: Progress,
    attempt: (attempt: Attempt) => Promise<DirectoryResponse>,
  ): Promise<Outcome> {
    const { timeoutSeconds } = this.#settings;
    let outcome: Outcome | undefined;
    try {
      await this.#rate.removeTokens(1);
      progress.deadline ??= timeoutSeconds === 0 ? Infinity : performance.now() + timeoutSeconds * 1000;
      const { retry, previous, deadline } = progress;
      const remainingMs = deadline - performance.now();
      if (remainingMs <= 0) return timeoutOutcome(previous, timeoutSeconds);
      this.counts[request.type] += 1;
      const signal = remainingMs === Infinity ? undefined : AbortSignal.timeout(Math.ceil(remainingMs));
      outcome = await outcomeOf(attempt({ signal, retry, previous }), timeoutSeconds);
      if (outcome.response !== undefined) this.#onResponse(outcome.response.headers);
      return outcome;
    } finally {
      budget.settle(outcome?.response?.headers);
    }
  }

  #budgetOf(endpoint: string): EndpointBudget {
    const known = this.#budgets.get(endpoint);
    if (known !== undefined) return known;
    const budget = new EndpointBudget();
    this.#budgets.set(endpoint, budget);
    return budget;
  }

  #reportHold(endpoint: string, milliseconds: number): void {
    const seconds = Math.round(milliseconds / 100) / 10;
    this.#log.warn(`${endpoint}: the rate limit is exhausted, continuing in ${seconds} s`, { seconds });
    this.counts.waits += 1;
    this.counts.waitedSeconds += milliseconds / 1000;
  }

  #reportWait(request: string, status: number | undefined, milliseconds: number): void {
    const seconds = Math.round(milliseconds / 100) / 10;
    const reason = status === undefined ? 'no response was received' : `the response was ${status}`;
    this.#log.warn(`${request}: ${reason}, retrying in ${seconds} s`, {
      status: status ?? null,
      seconds,
    });
    this.counts.retries += 1;
    this.counts.waits += 1;
    this.counts.waitedSeconds += milliseconds / 1000;
  }
}

/** A full token bucket that serves requests in FIFO order. A `perSecond` value of 0 means no limit. */
function fullBucket(perSecond: number): TokenBucket {
  const bucketSize = perSecond === 0 ? 0 : Math.max(1, perSecond);
  const bucket = new TokenBucket({ bucketSize, tokensPerInterval: perSecond, interval: 'second' });
  bucket.content = bucketSize;
  return bucket;
}

/** Whether the response is a nonce challenge, which contains the nonce to use (RFC 9449, sections 8 and 9). */
function isNonceChallenge({ status, headers, text }: DirectoryResponse): boolean {
  if ((status !== 400 && status !== 401) || !headers.has('dpop-nonce')) return false;
  return (
    (headers.get('www-authenticate') ?? '').includes('use_dpop_nonce') || text.includes('use_dpop_nonce')
  );
}

/** The wait before the next attempt in milliseconds; `undefined` if the response is final. */
function waitBeforeRetry({ status, headers }: DirectoryResponse, retry: number): number | undefined {
  return RETRIED_STATUSES.has(status) ? waitAfterResponse(status, headers, retry) : undefined;
}

function timeoutOutcome(previous: DirectoryResponse | undefined, timeoutSeconds: number): Outcome {
  if (previous !== undefined) return { response: previous };
  return { error: new NoResponseError('timeout', `did not respond within ${timeoutSeconds} s`) };
}

async function outcomeOf(attempt: Promise<DirectoryResponse>, timeoutSeconds: number): Promise<Outcome> {
  try {
    return { response: await attempt };
  } catch (error) {
    const noResponse = NoResponseError.from(error, timeoutSeconds);
    if (noResponse === undefined) throw error;
    return { error: noResponse };
  }
}
