import { below, pick } from './random.ts';

/** Bytes with a special meaning in JSON or UTF-8. */
const MEANINGFUL = Buffer.from(
  '[]{},:"\\ \n\r\t0e-+.tnfu\0\x01\x7f\xff\xfe\xef\xbb\xbf\xc0\x80\xe2\xed\xa0\xf4',
  'latin1',
);
/**
 * Encodings of lone surrogates, an overlong zero, a code point above U+10FFFF, a truncated character, and byte order
 * marks.
 */
const INSERTIONS = [
  'eda080',
  'edbfbf',
  'c080',
  'f4908080',
  'e282',
  'efbbbf',
  'fffe',
  '0d0a',
  '00',
  '5c75643830',
  '2c2c',
  '5d5b',
  '7d7b',
] as const;

const WRONG_TOKENS = [
  '01',
  '-01',
  '-',
  '1.',
  '.5',
  '1.e1',
  '1e',
  '1e+',
  '+1',
  '--1',
  '0x1',
  'NaN',
  'Infinity',
  'tru',
  'nulll',
  'True',
  'undefined',
  '\\x',
  '\\u12g4',
  '\\',
  '"',
  "'a'",
  '/**/1',
  '1 2',
  '00',
] as const;

type Mutation = (random: () => number, bytes: Buffer) => Buffer;

/** All mutations of a file, by name. */
export const MUTATIONS = {
  'flipped bit': (random, bytes) => replaced(random, bytes, (byte) => byte ^ (1 << below(random, 8))),
  'replaced byte': (random, bytes) => replaced(random, bytes, () => meaningful(random)),
  'inserted byte': (random, bytes) => inserted(random, bytes, Buffer.of(meaningful(random))),
  'inserted sequence': (random, bytes) =>
    inserted(random, bytes, Buffer.from(pick(random, INSERTIONS), 'hex')),
  'deleted block': (random, bytes) => {
    const [from, to] = block(random, bytes);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  },
  'duplicated block': (random, bytes) => {
    const [from, to] = block(random, bytes);
    return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)]);
  },
  'swapped blocks': (random, bytes) => {
    const [a, b] = [block(random, bytes), block(random, bytes)].sort(([left], [right]) => left - right);
    const [from, middle] = a ?? [0, 0];
    const [next, to] = b ?? [0, 0];
    const between = bytes.subarray(middle, Math.max(middle, next));
    const second = bytes.subarray(Math.max(middle, next), Math.max(middle, to));
    const rest = bytes.subarray(Math.max(middle, to));
    return Buffer.concat([bytes.subarray(0, from), second, between, bytes.subarray(from, middle), rest]);
  },
  truncated: (random, bytes) => bytes.subarray(0, below(random, bytes.length + 1)),
  'truncated at the start': (random, bytes) => bytes.subarray(below(random, Math.min(8, bytes.length + 1))),
  'two files': (random, bytes) =>
    Buffer.concat([bytes, Buffer.from(pick(random, ['', '\n', ',', '\0'])), bytes]),
  'one element per line': (_, bytes) =>
    Buffer.from(
      bytes
        .toString('latin1')
        .replaceAll(/^\s*\[|\]\s*$/g, '')
        .replaceAll('},', '}\n'),
      'latin1',
    ),
  'different line endings': (_, bytes) =>
    Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r\n'), 'latin1'),
  'trailing zeros': (random, bytes) => Buffer.concat([bytes, Buffer.alloc(1 + below(random, 40))]),
  'comma before a bracket': (random, bytes) => commaBeforeBracket(random, bytes),
  'wrong token': (random, bytes) => {
    const text = bytes.toString('latin1');
    const tokens = [...text.matchAll(/-?\d[\d.eE+-]*|true|false|null|\\u?/g)];
    const { index, 0: token } = tokens[below(random, tokens.length)] ?? { index: text.length, 0: '' };
    return Buffer.from(
      `${text.slice(0, index)}${pick(random, WRONG_TOKENS)}${text.slice(index + token.length)}`,
      'latin1',
    );
  },
  'UTF-16': (random, bytes) => {
    const wide = Buffer.from(bytes.toString(), 'utf16le');
    return random() < 0.5 ? wide : wide.swap16();
  },
} as const satisfies Readonly<Record<string, Mutation>>;

export type MutationName = keyof typeof MUTATIONS;

const NAMES: readonly MutationName[] = Object.keys(MUTATIONS).filter(isMutation);
/** Mutations that hide the effects of other mutations, and are therefore used less often. */
const RARE: ReadonlySet<string> = new Set([
  'UTF-16',
  'one element per line',
  'two files',
  'truncated at the start',
]);

/** Applies one to three mutations in sequence, and returns their names. */
export function mutate(
  random: () => number,
  bytes: Buffer,
): { readonly type: MutationName; readonly bytes: Buffer } {
  let result = bytes;
  let type: MutationName = 'replaced byte';
  for (let left = 1 + below(random, 3); left > 0; left--) {
    const name: MutationName = NAMES[below(random, NAMES.length)] ?? type;
    type = RARE.has(name) && random() < 0.8 ? 'replaced byte' : name;
    result = MUTATIONS[type](random, result);
  }
  return { type, bytes: result };
}

function isMutation(name: string): name is MutationName {
  return Object.hasOwn(MUTATIONS, name);
}

function meaningful(random: () => number): number {
  return MEANINGFUL[below(random, MEANINGFUL.length)] ?? 0;
}

function replaced(random: () => number, bytes: Buffer, change: (byte: number) => number): Buffer {
  const copy = Buffer.from(bytes);
  const at = below(random, copy.length);
  if (copy.length > 0) copy[at] = change(copy[at] ?? 0);
  return copy;
}

function inserted(random: () => number, bytes: Buffer, more: Buffer): Buffer {
  const at = below(random, bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at)]);
}

/** Returns a random range of the bytes, usually short. */
function block(random: () => number, bytes: Buffer): readonly [from: number, to: number] {
  const from = below(random, bytes.length + 1);
  const length = below(random, random() < 0.7 ? 4 : 40);
  return [from, Math.min(bytes.length, from + length)];
}

function commaBeforeBracket(random: () => number, bytes: Buffer): Buffer {
  const places = [...bytes.keys()].filter((at) => bytes[at] === 0x5d || bytes[at] === 0x7d);
  const at = places[below(random, places.length)] ?? bytes.length;
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(','), bytes.subarray(at)]);
}
