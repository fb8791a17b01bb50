import { RequestError } from './api-error.ts';

const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 10_000;

/** Returns the delay before a retry in milliseconds: the delay that the service requested, or exponential backoff. */
export function waitBeforeRetry(failures: number, error: unknown): number {
  const requested = error instanceof RequestError ? error.retryAfterMs : undefined;
  return requested ?? Math.min(FIRST_WAIT_MS * 2 ** failures, MAX_WAIT_MS);
}
