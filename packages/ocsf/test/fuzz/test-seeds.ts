import { randomInt } from 'node:crypto';

/** Each test run tries the same cases as the last one, and others that nobody has tried before. */
export const TEST_SEEDS: readonly { readonly what: string; readonly seed: number }[] = [
  { what: 'known', seed: 1 },
  { what: 'fresh', seed: randomInt(2 ** 31) },
];
