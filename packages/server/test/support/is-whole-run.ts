/** Whether a sampled file (`*.sampled.test.ts`) runs all of its cases and not only the sample of the slow lane. */
export const isWholeRun: boolean = process.env.SLUICE_TEST_LANE === 'release';
