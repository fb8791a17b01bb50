/** Returns a seeded random number generator (xorshift32). Numbers are from 0, inclusive, to 1, exclusive. */
export function randomNumbers(seed: number): () => number {
  // xorshift32 never leaves the state 0.
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
