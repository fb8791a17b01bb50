import type { Client } from '../packages/server/test/support/client.ts';

/** Asks for a job's status again and again until the work is done; the times of all answers in ms, sorted. */
export async function pollDuring(client: Client, path: string, work: Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  let running = true;
  const done = work.finally(() => {
    running = false;
  });
  while (running) {
    const start = performance.now();
    const { status } = await client.get(path);
    if (status !== 200) throw new Error(`the status was answered with ${status}`);
    times.push(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await done;
  return times.sort((a, b) => a - b);
}

/** The value that this share of the sorted values does not exceed. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
