import { setTimeout as sleep } from 'node:timers/promises';
import { waitAfterAnswer, waitAfterFault } from '../http/retry-wait.ts';
import type { Log } from '../log.ts';
import { NoAnswerError } from './no-answer-error.ts';
import { RequestRate } from './request-rate.ts';

/** RFC 9449, section 8: a fresh nonce may be stale again when other requests are under way. */
const MAX_NONCE_REPEATS = 3;

const REPEATED = new Set([429, 503, 504]);

/** After so many requests in a row that got no answer at all the network counts as gone, and nothing is repeated. */
const MAX_SILENT_REQUESTS = 3;

/** What was asked of the directory so far. */
export interface RequestCounts {
  /** Requests to the management API, repeats included. */
  api: number;
  /** Requests to the token endpoint, repeats included. */
  token: number;
  /** Repeats after 429, 503, 504 and network faults. */
  retries: number;
  /** Waits before a repeat, and how long they were together. */
  waits: number;
  waitedSeconds: number;
}

/** A whole answer: its body has been read. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** What one attempt at a request is given. */
export interface Attempt {
  /** Ends the attempt when the time for the request is used up; `undefined`: there is no limit. */
  readonly signal: AbortSignal | undefined;
  /** Counts from 0. */
  readonly retry: number;
  /** Of the answer that the attempt repeats. */
  readonly previous: Answer | undefined;
}

export interface TransportSettings {
  readonly requestsPerSecond: number;
  readonly maxRetries: number;
  readonly timeoutSeconds: number;
}

/** Sends requests at the agreed rate and repeats those that may succeed later. */
export class Transport {
  readonly counts: RequestCounts = { api: 0, token: 0, retries: 0, waits: 0, waitedSeconds: 0 };
  readonly #rate: RequestRate;
  readonly #settings: TransportSettings;
  readonly #log: Log;
  #silentRequests = 0;

  constructor(settings: TransportSettings, log: Log) {
    this.#settings = settings;
    this.#rate = new RequestRate(settings.requestsPerSecond);
    this.#log = log;
  }

  /**
   * The final answer to a request, whatever its status; every attempt signs anew. Throws a NoAnswerError where none
   * came. The time limit starts with the first attempt: waiting for a turn is not the directory's doing.
   */
  async send(
    kind: 'api' | 'token',
    request: string,
    attempt: (attempt: Attempt) => Promise<Answer>,
  ): Promise<Answer> {
    const { maxRetries, timeoutSeconds } = this.#settings;
    let deadline: number | undefined;
    let previous: Answer | undefined;
    let nonceRepeats = 0;
    for (let retry = 0; ; ) {
      await this.#rate.acquire();
      deadline ??= timeoutSeconds === 0 ? Infinity : performance.now() + timeoutSeconds * 1000;
      const left = deadline - performance.now();
      if (left <= 0) return lateAnswer(previous, timeoutSeconds);
      this.counts[kind] += 1;
      const signal = left === Infinity ? undefined : AbortSignal.timeout(Math.ceil(left));
      const outcome = await outcomeOf(attempt({ signal, retry, previous }), timeoutSeconds);

      if (
        outcome.answer !== undefined &&
        isNonceChallenge(outcome.answer) &&
        nonceRepeats < MAX_NONCE_REPEATS
      ) {
        nonceRepeats += 1;
        continue;
      }
      const wait =
        outcome.answer === undefined ? waitAfterFault(retry) : waitBeforeRepeat(outcome.answer, retry);
      if (outcome.answer !== undefined) this.#silentRequests = 0;
      const mayRepeat =
        wait !== undefined &&
        retry < maxRetries &&
        performance.now() + wait < deadline &&
        this.#silentRequests < MAX_SILENT_REQUESTS;
      if (!mayRepeat) {
        if (outcome.answer !== undefined) return outcome.answer;
        this.#silentRequests += 1;
        throw outcome.fault;
      }
      retry += 1;
      previous = outcome.answer;
      await this.#wait(request, outcome.answer?.status, wait);
    }
  }

  async #wait(request: string, status: number | undefined, milliseconds: number): Promise<void> {
    const seconds = Math.round(milliseconds / 100) / 10;
    const reason = status === undefined ? 'no answer came' : `the answer was ${status}`;
    this.#log.warn(`${request}: ${reason}, trying again in ${seconds} s`, {
      status: status ?? null,
      seconds,
    });
    this.counts.retries += 1;
    this.counts.waits += 1;
    this.counts.waitedSeconds += milliseconds / 1000;
    if (status === 429) this.#rate.pause(milliseconds);
    await sleep(Math.ceil(milliseconds));
  }
}

type Outcome =
  | { readonly answer: Answer; readonly fault?: never }
  | { readonly answer?: never; readonly fault: NoAnswerError };

async function outcomeOf(attempt: Promise<Answer>, timeoutSeconds: number): Promise<Outcome> {
  try {
    return { answer: await attempt };
  } catch (error) {
    const fault = NoAnswerError.from(error, timeoutSeconds);
    if (fault === undefined) throw error;
    return { fault };
  }
}

/** In milliseconds; `undefined`: the answer is final. */
function waitBeforeRepeat({ status, headers }: Answer, retry: number): number | undefined {
  return REPEATED.has(status) ? waitAfterAnswer(status, headers, retry) : undefined;
}

function lateAnswer(previous: Answer | undefined, timeoutSeconds: number): Answer {
  if (previous !== undefined) return previous;
  throw new NoAnswerError('timeout', `gave no answer within ${timeoutSeconds} s`);
}

/** RFC 9449, sections 8 and 9: the nonce to use comes with the refusal. */
function isNonceChallenge({ status, headers, text }: Answer): boolean {
  if ((status !== 400 && status !== 401) || !headers.has('dpop-nonce')) return false;
  return (
    (headers.get('www-authenticate') ?? '').includes('use_dpop_nonce') || text.includes('use_dpop_nonce')
  );
}
