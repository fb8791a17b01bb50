/** Numbers from 0 to under 1, the same for the same seed (the generator xorshift32). */
export function randomNumbers(seed: number): () => number {
  // Zero is the one state that the generator does not leave.
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
