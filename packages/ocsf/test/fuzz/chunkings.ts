/** A way to split bytes: the split positions in ascending order, excluding the start and the end. */
export interface Chunking {
  readonly name: string;
  readonly cuts: readonly number[];
}

const MAX_SINGLE_BYTES = 2_000;
const BACKSLASH = 0x5c;

/**
 * The ways to split each file: not at all, into single bytes (only the start of a long file), at critical positions,
 * and at random positions.
 */
export function chunkings(random: () => number, bytes: Uint8Array): readonly Chunking[] {
  const all = Array.from(
    { length: Math.max(0, Math.min(bytes.length, MAX_SINGLE_BYTES) - 1) },
    (_, at) => at + 1,
  );
  return [
    { name: 'in one piece', cuts: [] },
    { name: 'in single bytes', cuts: all },
    { name: 'with cuts inside characters and escapes', cuts: all.filter((at) => isInside(bytes, at)) },
    { name: 'with random cuts', cuts: randomCuts(random, bytes.length) },
  ];
}

/** Passes the bytes to a reader piece by piece. */
export function pushPieces(bytes: Buffer, cuts: readonly number[], push: (piece: Buffer) => void): void {
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    push(bytes.subarray(from, cut));
    from = cut;
  }
}

function isInside(bytes: Uint8Array, at: number): boolean {
  const byte = bytes[at] ?? 0;
  return (byte >= 0x80 && byte < 0xc0) || bytes[at - 1] === BACKSLASH;
}

function randomCuts(random: () => number, length: number): readonly number[] {
  const cuts: number[] = [];
  const largest = random() < 0.5 ? 12 : Math.max(100, length / 8);
  for (let at = Math.ceil(random() * largest); at < length; at += Math.ceil(random() * largest))
    cuts.push(at);
  return cuts;
}
