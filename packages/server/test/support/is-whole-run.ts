/** Whether a sampled file (`*.sampled.test.ts`) does all of its work, and not only the sample of the slow lane. */
export const isWholeRun: boolean = process.env.SLUICE_TEST_LANE === 'release';
