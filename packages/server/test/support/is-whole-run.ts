import { it } from 'node:test';

/** Whether a file runs all of its cases, and not only the sample of the fast lane or, in `*.sampled.test.ts`, of the slow lane. */
export const isWholeRun: boolean = process.env.SLUICE_TEST_LANE === 'release';

/** Like `it`, for tests that only a whole run contains. */
export const itInWholeRun: (title: string, test: () => unknown) => void = isWholeRun
  ? (title, test) => void it(title, test)
  : () => undefined;
