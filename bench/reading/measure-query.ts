import type { Client } from '../../packages/server/test/support/client.ts';
import { median } from '../median.ts';
import type { Query } from './queries.ts';

const REQUESTS = 5;
/** Slow requests are repeated less often. */
const MAX_MS = 3000;

/** Returns the number of resources in the list; empty if the response is not a list. */
export async function countMatches(client: Client, { path }: Query): Promise<number | ''> {
  const { status, text, body } = await client.get<unknown>(path);
  if (status !== 200) throw new Error(`${path} returned ${status}: ${text}`);
  return body.meta?.pagination?.count ?? '';
}

/** Returns the median duration of several requests in milliseconds. */
export async function measureQuery(client: Client, { path }: Query): Promise<number> {
  const times: number[] = [];
  const begin = performance.now();
  while (times.length < REQUESTS && (times.length === 0 || performance.now() - begin < MAX_MS)) {
    const start = performance.now();
    const { status, text } = await client.get(path);
    times.push(performance.now() - start);
    if (status !== 200) throw new Error(`${path} returned ${status}: ${text}`);
  }
  return median(times);
}
