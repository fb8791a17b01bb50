/** Returns a seeded random number generator (xorshift32) for numbers from 0, inclusive, to 1, exclusive. */
export function randomNumbers(seed: number): () => number {
  // Avoid the state 0, from which xorshift32 generates only zeros.
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
