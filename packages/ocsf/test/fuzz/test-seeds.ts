import { randomInt } from 'node:crypto';

/** Each test run uses the same cases as the previous one, and new ones. */
export const TEST_SEEDS: readonly { readonly what: string; readonly seed: number }[] = [
  { what: 'known', seed: 1 },
  { what: 'fresh', seed: randomInt(2 ** 31) },
];
