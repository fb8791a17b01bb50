import { z } from 'zod';
import { quoteNames } from '../../jsonapi/filters.ts';

/** Longer texts are not repeated in messages. */
const MAX_QUOTED = 100;

const TYPES: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'a boolean',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'a string',
};

/** By the name of the format in Zod. */
const FORMATS: Readonly<Record<string, { readonly name: string; readonly advice: string }>> = {
  uuid: { name: 'a UUID', advice: 'Use the ID of a resource.' },
  email: { name: 'an email address', advice: 'Use an address such as name@example.com.' },
  datetime: { name: 'a valid time', advice: 'Use a time with a UTC offset, such as 2030-01-31T12:00:00Z.' },
};

const INVALID = 'The value is not valid.';

/**
 * Describes the error of a member that does not match its schema, and the values that are valid. Messages of a schema
 * take precedence.
 */
export const describeIssue: z.core.$ZodErrorMap = (issue) => {
  const { input } = issue;
  switch (issue.code) {
    case 'invalid_type':
      return wrongType(issue.expected, input);
    case 'invalid_value':
      return unknownValue(issue.values.map(String), input);
    case 'invalid_format': {
      const format = FORMATS[issue.format];
      return format === undefined ? INVALID : `${subjectOf(input)} is not ${format.name}. ${format.advice}`;
    }
    case 'too_small':
      return issue.origin === 'array' && issue.minimum === 1
        ? 'The list is empty. Add at least one value.'
        : INVALID;
    case 'too_big':
      return tooBig(issue.origin, Number(issue.maximum));
    case 'unrecognized_keys':
      return unknownMember(issue.keys[0] ?? '', issue.inst);
    default:
      return INVALID;
  }
};

function wrongType(expected: string, input: unknown): string {
  const type = TYPES[expected];
  if (type === undefined) return INVALID;
  return input === undefined ? missing(type) : `The value must be ${type}, not ${TYPES[typeOf(input)]}.`;
}

function unknownValue(values: readonly string[], input: unknown): string {
  const [first, ...others] = values;
  if (others.length > 0)
    return `${input === undefined ? 'The member is missing.' : notValid(input)} Valid values are ${quoteNames(values)}.`;
  return input === undefined ? missing(`'${first}'`) : `${notValid(input)} Use '${first}'.`;
}

function tooBig(origin: string, maximum: number): string {
  const limit = maximum.toLocaleString('en');
  if (origin === 'array') return `The list has more than ${limit} values. Use fewer values.`;
  return origin === 'string' ? `The value is longer than ${limit} characters. Use a shorter one.` : INVALID;
}

function unknownMember(name: string, schema: unknown): string {
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const unknown = `Unknown member '${name.slice(0, MAX_QUOTED)}'.`;
  if (known.length === 0) return unknown;
  const valid = known.length === 1 ? 'The only valid member is' : 'Valid members are';
  return `${unknown} ${valid} ${quoteNames(known)}.`;
}

function missing(value: string): string {
  return `The member is missing. Set it to ${value}.`;
}

function notValid(input: unknown): string {
  return `${subjectOf(input)} is not valid.`;
}

function subjectOf(input: unknown): string {
  return typeof input === 'string' && input.length <= MAX_QUOTED ? `'${input}'` : 'The value';
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
