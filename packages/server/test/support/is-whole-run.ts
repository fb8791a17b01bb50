import { it, type TestFn, type TestOptions } from 'node:test';

/** Whether a file runs all of its cases, and not only the sample of the fast lane or, in `*.sampled.test.ts`, of the slow lane. */
export const isWholeRun: boolean = process.env.SLUICE_TEST_LANE === 'release';

/** Like `it`, for tests that only a whole run contains. */
export function itInWholeRun(
  title: string,
  ...rest: [test: TestFn] | [options: TestOptions, test: TestFn]
): void {
  if (!isWholeRun) return;
  const [options, test] = rest.length === 1 ? [{}, ...rest] : rest;
  void it(title, options, test);
}
