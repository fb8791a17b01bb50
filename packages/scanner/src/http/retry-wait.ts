const BACKOFF_MS = 500;
/** The first wait where a 429 says nothing of its end: five of them, doubled, outlast a window of a minute. */
const DEFAULT_RATE_LIMIT_WAIT_MS = 2_000;
const MAX_BACKOFF_MS = 60_000;

/**
 * How long to wait, in milliseconds, before a request is repeated whose response says that it may succeed later: 429 or
 * one of the 5xx. `retry` counts from 0.
 */
export function waitAfterResponse(status: number, headers: Headers, retry: number): number {
  const told = [retryAfterMs(headers), status === 429 ? untilReset(headers) : undefined].filter(
    (wait) => wait !== undefined,
  );
  return told.length > 0
    ? Math.max(...told)
    : backoff(status === 429 ? DEFAULT_RATE_LIMIT_WAIT_MS : BACKOFF_MS, retry);
}

/** How long to wait after a network fault, in milliseconds. */
export function waitAfterNetworkError(retry: number): number {
  return backoff(BACKOFF_MS, retry);
}

/** Between half and the whole of a wait that doubles, so that scans do not come back all at once. */
function backoff(firstMs: number, retry: number): number {
  return Math.min(MAX_BACKOFF_MS, firstMs * 2 ** retry) * (0.5 + Math.random() / 2);
}

/** Covers the fraction of a second that `X-Rate-Limit-Reset` leaves out. */
export const RESET_MARGIN_MS = 1_000;

/**
 * Milliseconds until the limit is lifted, by the clock of the server: `X-Rate-Limit-Reset` is in Unix seconds, and one more covers
 * the fraction that it leaves out. Of several limits the first one to end counts, as they come joined by commas.
 */
export function untilReset(headers: Headers): number | undefined {
  const resets = (headers.get('x-rate-limit-reset') ?? '')
    .split(',')
    .map((text) => text.trim())
    .filter((text) => /^\d+$/.test(text))
    .map(Number);
  const date = Date.parse(headers.get('date') ?? '');
  if (resets.length === 0) return undefined;
  const now = Number.isNaN(date) ? Date.now() : date;
  return Math.max(0, Math.min(...resets) * 1000 - now) + RESET_MARGIN_MS;
}

/** RFC 9110, section 10.2.3: seconds, or a date. */
function retryAfterMs(headers: Headers): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
