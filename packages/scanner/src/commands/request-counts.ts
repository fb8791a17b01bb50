import type { Directory } from '../directory/directory.ts';

/** What a scan asked for, in one sentence: `84 requests to the management API, 1 for a token`. */
export function requestCounts({ api, token, retries, waits, waitedSeconds }: Directory['requests']): string {
  const asked = `${api} requests to the management API, ${token} for tokens`;
  if (retries === 0 && waits === 0) return asked;
  return `${asked}; ${retries} of them repeats, ${waits} waits of ${Math.round(waitedSeconds)} s together`;
}
