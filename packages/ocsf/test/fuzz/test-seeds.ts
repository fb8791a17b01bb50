import { randomInt } from 'node:crypto';

/** Each test run repeats fixed cases and adds new random cases. */
export const TEST_SEEDS: readonly { readonly what: string; readonly seed: number }[] = [
  { what: 'fixed', seed: 1 },
  { what: 'random', seed: randomInt(2 ** 31) },
];
