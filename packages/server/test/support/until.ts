import { setTimeout as sleep } from 'node:timers/promises';

const GIVE_UP_MS = 60_000;
const PAUSE_MS = 20;

/** Asks again and again until there is an answer, or a yes; throws where there is none in a minute. */
export async function until<Result>(ask: () => Promise<Result | undefined | false>): Promise<Result> {
  for (const start = Date.now(); Date.now() - start < GIVE_UP_MS; await sleep(PAUSE_MS)) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
  }
  throw new Error(`it has not happened within ${GIVE_UP_MS} ms`);
}
