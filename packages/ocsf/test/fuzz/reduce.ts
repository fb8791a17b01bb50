/** Maximum number of attempts per reduction. */
const MAX_ATTEMPTS = 5_000;

/**
 * Removes as many bytes as possible while the case still fails, starting with large blocks and halving the block size
 * repeatedly.
 */
export function reduce(bytes: Buffer, fails: (smaller: Buffer) => boolean): Buffer {
  let smallest = bytes;
  let attempts = 0;
  let removedAny = true;
  while (removedAny) {
    removedAny = false;
    for (let size = smallest.length >> 1 || 1; size >= 1; size >>= 1) {
      for (let at = 0; at < smallest.length; ) {
        if (attempts++ > MAX_ATTEMPTS) return smallest;
        const smaller = Buffer.concat([smallest.subarray(0, at), smallest.subarray(at + size)]);
        if (fails(smaller)) {
          smallest = smaller;
          removedAny = true;
        } else at += size;
      }
    }
  }
  return smallest;
}
