import type { Attribute } from '../../src/conformance/attribute.ts';
import { REQUIRED_ATTRIBUTES } from '../../src/conformance/required-attributes.ts';
import { below, pick } from '../fuzz/random.ts';

const VERSIONS = [
  '1.1.0',
  '1.2.0',
  '1.3.0',
  '1.3.7',
  '1.4.0',
  '1.5.0',
  '1.6.0',
  '1.7.0',
  '1.8.0',
  '1.8',
] as const;
const OTHER_VERSIONS = [
  'null',
  '"1.5.0-dev"',
  '"1.0.0"',
  '"1.9.0"',
  '"2.1.0"',
  '1.5',
  '""',
  '["1.5.0"]',
] as const;
const PROFILES = [
  'cloud',
  'host',
  'osint',
  'security_control',
  'incident',
  'data_classification',
  'other',
] as const;
const SCALARS = ['0', '""', '"text"', 'true', '[]', '{}', '"null"', '[null]', '-1.5e3'] as const;

/** How likely each mutation of a member is. */
interface Chances {
  readonly deleted: number;
  readonly nulled: number;
  readonly renamed: number;
  readonly escaped: number;
  readonly repeated: number;
  readonly retyped: number;
}

const NEVER: Chances = { deleted: 0, nulled: 0, renamed: 0, escaped: 0, repeated: 0, retyped: 0 };
const RARELY: Chances = { deleted: 0.1, nulled: 0.03, renamed: 0.02, escaped: 0, repeated: 0, retyped: 0.03 };
const AMBIGUOUS: Chances = { ...RARELY, escaped: 0.02, repeated: 0.02 };
/** The share of the optional members that a record has, which makes deeper objects less likely. */
const OPTIONAL_SHARE = 0.35;
const MAX_DEPTH = 7;

/**
 * Returns the JSON of a record with attributes of every version, most of them at random, in random order. Many are
 * missing, null, renamed or of another type. Some keys are escaped or repeated.
 */
export function randomRecord(random: () => number): string {
  const chances = pick(random, [NEVER, RARELY, RARELY, AMBIGUOUS]);
  const version = random() < 0.9 ? `"${pick(random, VERSIONS)}"` : pick(random, OTHER_VERSIONS);
  const profiles =
    random() < 0.9
      ? JSON.stringify(PROFILES.filter(() => random() < 0.5))
      : pick(random, ['null', '"cloud"', '["clo\\u0075d", 1, null]', '{"cloud": 1}']);
  const fixed = {
    metadata: { version, profiles, event_code: '"check"' },
    detection_finding: { class_uid: '2004', unmapped: '{"process": {"file": {}}}', unknown: '1' },
  };
  return objectText(random, 'detection_finding', fixed, chances, 0);
}

type FixedMembers = Readonly<Record<string, Readonly<Record<string, string>>>>;

function objectText(
  random: () => number,
  type: string,
  fixed: FixedMembers,
  chances: Chances,
  depth: number,
): string {
  const { [type]: own = {}, ...others } = fixed;
  const attributes = Object.entries(REQUIRED_ATTRIBUTES[type] ?? {}).filter(
    ([name, { required }]) =>
      !Object.hasOwn(own, name) &&
      (required !== undefined || name === 'metadata' || random() < OPTIONAL_SHARE / (depth + 1)),
  );
  const members = [
    ...Object.entries(own).map(([name, value]) => ({ name, value })),
    ...attributes.map(([name, attribute]) => ({
      name,
      value: valueText(random, attribute, others, chances, depth),
    })),
  ].sort(() => random() - 0.5);
  const written = members.flatMap(({ name, value }) => memberText(random, name, value, chances));
  return `{${written.join(random() < 0.5 ? ',' : ',\n  ')}}`;
}

function valueText(
  random: () => number,
  { object, isArray }: Attribute,
  fixed: FixedMembers,
  chances: Chances,
  depth: number,
): string {
  if (object === undefined || depth === MAX_DEPTH || random() < chances.retyped) return pick(random, SCALARS);
  const nested = () => objectText(random, object, fixed, chances, depth + 1);
  // An array in place of an object, or the reverse.
  const isWritten = random() < chances.retyped ? !isArray : isArray;
  if (!isWritten) return nested();
  const elements = Array.from({ length: below(random, 4) }, () =>
    random() < chances.retyped ? pick(random, SCALARS) : nested(),
  );
  return `[${elements.join(', ')}]`;
}

function memberText(random: () => number, name: string, value: string, chances: Chances): readonly string[] {
  if (random() < chances.deleted) return [];
  const text = random() < chances.nulled ? 'null' : value;
  if (random() < chances.renamed) return [`${JSON.stringify(`${name}_`)}: ${text}`];
  const key = random() < chances.escaped ? escapedKey(random, name) : JSON.stringify(name);
  const member = `${key}:${random() < 0.5 ? '' : ' '}${text}`;
  return random() < chances.repeated ? [`${key}: ${pick(random, ['null', '1', value])}`, member] : [member];
}

/** Writes one character of a key as an escape. */
function escapedKey(random: () => number, name: string): string {
  const at = below(random, name.length);
  const code = name.charCodeAt(at).toString(16).padStart(4, '0');
  return `"${name.slice(0, at)}\\u${code}${name.slice(at + 1)}"`;
}
