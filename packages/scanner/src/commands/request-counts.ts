import type { Directory } from '../directory/directory.ts';

/** The request counts of a scan as text, such as `84 management API requests, 1 token request`. */
export function requestCounts({ api, token, retries, waits, waitedSeconds }: Directory['requests']): string {
  const requests = `${counted(api, 'management API request')}, ${counted(token, 'token request')}`;
  if (retries === 0 && waits === 0) return requests;
  const waitTime = `${counted(waits, 'wait')} of ${Math.round(waitedSeconds)} s in total`;
  return `${requests}; ${retries === 1 ? '1 retry' : `${retries} retries`}, ${waitTime}`;
}

function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}
