const BACKOFF_MS = 500;
/**
 * The first wait after a 429 response without a reset time. Each further wait is twice as long as the previous one, so
 * that five waits exceed a one-minute window.
 */
const DEFAULT_RATE_LIMIT_WAIT_MS = 2_000;
const MAX_BACKOFF_MS = 60_000;

/** Compensates for the truncated fraction of a second in `X-Rate-Limit-Reset`. */
export const RESET_MARGIN_MS = 1_000;

/** The wait in milliseconds before a retry after a 429 or 5xx response. `retry` counts from 0. */
export function waitAfterResponse(status: number, headers: Headers, retry: number): number {
  const requested = [retryAfterMs(headers), status === 429 ? untilReset(headers) : undefined].filter(
    (wait) => wait !== undefined,
  );
  return requested.length > 0
    ? Math.max(...requested)
    : backoff(status === 429 ? DEFAULT_RATE_LIMIT_WAIT_MS : BACKOFF_MS, retry);
}

/** The wait in milliseconds after a network error. */
export function waitAfterNetworkError(retry: number): number {
  return backoff(BACKOFF_MS, retry);
}

/** Parses `Retry-After`: a number of seconds or a date (RFC 9110, section 10.2.3). */
function retryAfterMs(headers: Headers): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/**
 * Milliseconds until the rate limit resets according to the server's clock, from `X-Rate-Limit-Reset` in Unix seconds.
 * If several limits apply, the earliest reset is used.
 */
export function untilReset(headers: Headers): number | undefined {
  const resets = listedNumbers(headers.get('x-rate-limit-reset'));
  const date = Date.parse(headers.get('date') ?? '');
  if (resets.length === 0) return undefined;
  const now = Number.isNaN(date) ? Date.now() : date;
  return Math.max(0, Math.min(...resets) * 1000 - now) + RESET_MARGIN_MS;
}

/** The numbers in a rate limit header. If several limits apply, it contains several values, separated by commas. */
export function listedNumbers(header: string | null): readonly number[] {
  return (header ?? '')
    .split(',')
    .map((text) => text.trim())
    .filter((text) => /^\d+$/.test(text))
    .map(Number);
}

/** Exponential backoff with a jitter of 50%, so that scans do not retry at the same time. */
function backoff(firstMs: number, retry: number): number {
  return Math.min(MAX_BACKOFF_MS, firstMs * 2 ** retry) * (0.5 + Math.random() / 2);
}
