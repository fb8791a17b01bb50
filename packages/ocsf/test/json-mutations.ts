/** A small seeded generator of numbers in [0, 1) (mulberry32), so that a failing case can be run again. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const strings = [
  '',
  'a',
  'ä€😀',
  '"',
  '\\',
  '\\"',
  '\\\\',
  '],[',
  '{',
  '}',
  '\n\t',
  'long text '.repeat(8),
  '\u0000',
  '\ud800',
];

/** A random JSON value, nested up to the given depth. */
export function randomValue(random: () => number, depth: number): unknown {
  const pick = Math.floor(random() * (depth > 0 ? 8 : 6));
  const list = () => Array.from({ length: Math.floor(random() * 4) }, () => randomValue(random, depth - 1));
  switch (pick) {
    case 0:
      return null;
    case 1:
      return random() < 0.5;
    case 2:
      return Math.round(random() * 1e6) / 10 ** Math.floor(random() * 5);
    case 3:
    case 4:
    case 5:
      return strings[Math.floor(random() * strings.length)];
    case 6:
      return list();
    default:
      return Object.fromEntries(
        list().map((value, at) => [`${strings[Math.floor(random() * strings.length)]}${at}`, value]),
      );
  }
}

const structural = Buffer.from('[]{},:"\\ \n0e-tn\0\xff\xef\xbb\xbf', 'latin1');

/** The text with a few bytes changed, removed, doubled or added, mostly ones that mean something in JSON. */
export function mutate(random: () => number, bytes: Buffer): Buffer {
  let result = bytes;
  for (let edits = Math.floor(random() * 3); edits >= 0; edits--) {
    const at = Math.floor(random() * (result.length + 1));
    const byte = structural.subarray(Math.floor(random() * structural.length)).subarray(0, 1);
    const length = Math.floor(random() * 4);
    const [head, tail] = [result.subarray(0, at), result.subarray(at)];
    switch (Math.floor(random() * 4)) {
      case 0:
        result = Buffer.concat([head, byte, tail]);
        break;
      case 1:
        result = Buffer.concat([head, tail.subarray(length)]);
        break;
      case 2:
        result = Buffer.concat([head, tail.subarray(0, length), tail]);
        break;
      default:
        result = Buffer.concat([head, byte, tail.subarray(1)]);
    }
  }
  return random() < 0.1 ? result.subarray(0, Math.floor(random() * result.length)) : result;
}
