const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * Delays between attempts, three days in all (Standard Webhooks, "Deliverability and reliability"). A jitter is added
 * to each.
 */
const DELAYS_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
/** The greatest part of a delay that is added to it. */
const JITTER = 0.1;

/** The most attempts at a delivery, unless a user repeats it. */
export const MAX_ATTEMPTS = DELAYS_MS.length + 1;

/** Milliseconds until the next attempt after this many failures in a row; `undefined` after the last one. */
export function retryDelay(failures: number): number | undefined {
  const delay = DELAYS_MS[failures - 1];
  return delay === undefined ? undefined : Math.round(delay * (1 + JITTER * Math.random()));
}
