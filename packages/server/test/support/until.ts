import { setTimeout as sleep } from 'node:timers/promises';

const TIMEOUT_MS = 60_000;
const MIN_PAUSE_MS = 20;
const MAX_PAUSE_MS = 100;

/** Polls at increasing intervals until the result is neither undefined nor false. Throws after a minute. */
export async function until<Result>(check: () => Promise<Result | undefined | false>): Promise<Result> {
  const start = Date.now();
  for (let waited = 0; waited < TIMEOUT_MS; waited = Date.now() - start) {
    const result = await check();
    if (result !== undefined && result !== false) return result;
    await sleep(Math.max(MIN_PAUSE_MS, Math.min(waited / 10, MAX_PAUSE_MS)));
  }
  throw new Error(`the condition was not met within ${TIMEOUT_MS} ms`);
}
