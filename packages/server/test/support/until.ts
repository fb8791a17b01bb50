import { setTimeout as sleep } from 'node:timers/promises';

const GIVE_UP_MS = 60_000;
const MIN_PAUSE_MS = 20;
const MAX_PAUSE_MS = 100;

/** Polls, less and less often, until the result is neither undefined nor false. Throws after a minute. */
export async function until<Result>(ask: () => Promise<Result | undefined | false>): Promise<Result> {
  const start = Date.now();
  for (let waited = 0; waited < GIVE_UP_MS; waited = Date.now() - start) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    await sleep(Math.max(MIN_PAUSE_MS, Math.min(waited / 10, MAX_PAUSE_MS)));
  }
  throw new Error(`it has not happened within ${GIVE_UP_MS} ms`);
}
