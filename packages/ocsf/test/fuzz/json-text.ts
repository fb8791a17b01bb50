import { below, pick } from './random.ts';

/** Options for generated JSON text. `compact` and `plainKeys` omit the difficult parts. */
export interface Style {
  readonly compact: boolean;
  readonly plainKeys: boolean;
}

const NUMBERS = [
  '0',
  '-0',
  '7',
  '-12',
  '3.25',
  '-0.5e-7',
  '1E400',
  '1e+2',
  '12345678901234567890',
  '0.0',
  '5e-324',
] as const;
const CHARACTERS = [
  'a',
  'Z',
  ' ',
  'ä',
  '€',
  '😀',
  '\u2028',
  ']',
  '[',
  '{',
  '}',
  ',',
  ':',
  '/',
  '\u007f',
  '\u0800',
] as const;
const ESCAPES = [
  '\\"',
  '\\\\',
  '\\/',
  '\\b',
  '\\f',
  '\\n',
  '\\r',
  '\\t',
  '\\u0000',
  '\\u005d',
  '\\uD83D\\uDE00',
  '\\ud800',
  '\\uDFFF',
  '\\u00e9',
] as const;
const KEYS = [
  'id',
  'name',
  'uid',
  'info',
  'list',
  'deep',
  'group',
  '',
  'sixteen bytes ok',
  'sixteen bytes okay',
  'ä',
] as const;
const WORDS = ['AWS', 'FAIL', 'PASS', 'high', 'the same text as in the previous record', ''] as const;

/** Whitespace that may appear between any two tokens. */
export function space(random: () => number, { compact }: Style): string {
  if (compact || random() < 0.5) return '';
  return pick(random, [' ', '\n', '\r\n', '\t', '  \r', `\n${' '.repeat(below(random, 40))}`]);
}

/**
 * Generates a string literal with escapes. Its length is close to a multiple of 16 bytes, the step size of the
 * WebAssembly modules.
 */
function stringText(random: () => number): string {
  if (random() < 0.4) return `"${pick(random, WORDS)}"`;
  const length = random() < 0.02 ? 200 + below(random, 2_000) : below(random, random() < 0.3 ? 40 : 8);
  const rarely = random() < 0.5 ? 0.05 : 0.4;
  let text = '';
  for (let count = 0; count < length; count++)
    text += random() < rarely ? pick(random, ESCAPES) : random() < rarely ? pick(random, CHARACTERS) : 'x';
  return `"${text}"`;
}

/** Generates a JSON number, string, true, false or null. */
export function scalarText(random: () => number): string {
  const choice = random();
  if (choice < 0.5) return stringText(random);
  if (choice < 0.7) return pick(random, NUMBERS);
  if (choice < 0.8) return String(Math.round(random() * 1e6) / 10 ** below(random, 5));
  return pick(random, ['true', 'false', 'null']);
}

/** Generates a random JSON value as text, nested up to the given depth. */
export function valueText(random: () => number, depth: number, style: Style): string {
  if (depth <= 0 || random() < 0.35) return scalarText(random);
  const around = () => space(random, style);
  const items = Array.from({ length: random() < 0.03 ? 30 : below(random, 4) }, () => {
    const value = valueText(random, depth - 1, style);
    return { key: keyText(random, style), value };
  });
  if (random() < 0.4)
    return bracket(
      items.map(({ value }) => `${around()}${value}${around()}`),
      '[]',
      around,
    );
  const members = style.plainKeys ? uniqueKeys(items) : items;
  return bracket(
    members.map(({ key, value }) => `${around()}${key}${around()}:${around()}${value}${around()}`),
    '{}',
    around,
  );
}

/** Builds a JSON object from its serialized members. */
export function objectText(
  random: () => number,
  members: readonly { readonly key: string; readonly value: string }[],
  style: Style,
): string {
  const around = () => space(random, style);
  return bracket(
    members.map(({ key, value }) => `${around()}"${key}"${around()}:${around()}${value}${around()}`),
    '{}',
    around,
  );
}

/** Encloses a value in the given number of nested brackets. */
export function nestedText(random: () => number, levels: number): string {
  const isObject = Array.from({ length: levels }, () => random() < 0.5);
  const opening = isObject.map((object) => (object ? '{"a":' : '['));
  const closing = isObject.toReversed().map((object) => (object ? '}' : ']'));
  return `${opening.join('')}${scalarText(random)}${closing.join('')}`;
}

function bracket(items: readonly string[], brackets: '[]' | '{}', around: () => string): string {
  const [open, close] = brackets;
  return items.length === 0 ? `${open}${around()}${close}` : `${open}${items.join(',')}${close}`;
}

function keyText(random: () => number, { plainKeys }: Style): string {
  if (!plainKeys && random() < 0.1)
    return pick(random, ['"i\\u0064"', '"\\""', '"n\\u0061me"', '"\\\\"', '"a\\nb"']);
  return `"${pick(random, KEYS)}"`;
}

function uniqueKeys<Member extends { readonly key: string }>(members: readonly Member[]): readonly Member[] {
  return [...new Map(members.map((member) => [member.key, member])).values()];
}
