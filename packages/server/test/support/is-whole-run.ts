/** Whether a file runs all of its cases, and not only the sample of the fast lane or, in `*.sampled.test.ts`, of the slow lane. */
export const isWholeRun: boolean = process.env.SLUICE_TEST_LANE === 'release';
