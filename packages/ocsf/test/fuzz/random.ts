/** A small seeded generator of numbers in [0, 1) (mulberry32), so that a failing case can be reproduced. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns a random integer from 0 to `limit` - 1. */
export function below(random: () => number, limit: number): number {
  return Math.floor(random() * limit);
}

/** Returns one of the choices at random. */
export function pick<Choice>(random: () => number, choices: readonly [Choice, ...Choice[]]): Choice {
  return choices[below(random, choices.length)] ?? choices[0];
}
