import { RequestError } from './api-error.ts';

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 10_000;

/** Milliseconds until a failed request is repeated: what the service asks for, or longer each time. */
export function waitBeforeRetry(failures: number, error: unknown): number {
  const asked = error instanceof RequestError ? error.retryAfterMs : undefined;
  return asked ?? Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS);
}
