import { hash } from 'node:crypto';
import type { JsonObject } from '../extract/field-layout.ts';
import { invalidType, type Rejection, tooLong, type Warn, warnOfType } from './problems.ts';

/** The path of a field, as a list of steps from the root of the record and as a JSON Pointer. */
export interface Field {
  readonly steps: readonly Step[];
  readonly pointer: string;
}

interface Step {
  /** JSON Pointer of the object. */
  readonly parent: string;
  readonly key: string;
}

/** Alternative fields for the same value, in order of precedence. */
export interface Source {
  readonly fields: readonly [Field, ...Field[]];
  /** Maximum length of the normalized text, in UTF-16 code units. */
  readonly maxLength: number;
  readonly normalize?: (text: string) => string;
}

/**
 * Maximum length, in UTF-16 code units, of optional strings by which findings are counted, filtered or grouped. Any
 * string of this length fits into a PostgreSQL B-tree index entry (at most 2,704 bytes).
 */
const MAX_LABEL = 512;

/** Returns the field with this path. */
export function field(...keys: readonly string[]): Field {
  const pointerTo = (level: number) => `/${keys.slice(0, level).join('/')}`;
  const steps = keys.map((key, level) => ({ parent: pointerTo(level), key }));
  return { steps, pointer: pointerTo(keys.length) };
}

/** Whether the value is a JSON object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Converts numeric strings, which some producers write, to numbers. Returns any other value unchanged. */
export function readNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\s*-?\d+(?:\.\d+)?\s*$/.test(value) ? Number(value) : value;
}

/** Reads an object with optional fields. Returns an empty object if the value is absent or of another type. */
export function optionalObject(value: unknown, pointer: string, warn: Warn): JsonObject {
  if (isObject(value)) return value;
  warnOfType(warn, pointer, value, 'an object');
  return {};
}

/** Reads an optional string. Returns `null` if it is absent, blank or of another type. */
export function optionalText(value: unknown, pointer: string, warn: Warn): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  warnOfType(warn, pointer, value, 'a string');
  return null;
}

/** Like `optionalText`, but shortens strings that are too long for an index. */
export function optionalLabel(value: unknown, pointer: string, warn: Warn): string | null {
  return labelOf(optionalText(value, pointer, warn), pointer, warn);
}

/** Shortens a text that is too long for an index. */
export function labelOf(text: string | null, pointer: string, warn: Warn): string | null {
  return text === null || text.length <= MAX_LABEL ? text : shortened(text, pointer, warn);
}

/** Ends the shortened text in a hash of the original, so that different long texts stay distinct. */
function shortened(text: string, pointer: string, warn: Warn): string {
  const end = `…${hash('sha256', text).slice(0, 16)}`;
  const detail = `The text was shortened from ${text.length} to ${MAX_LABEL} characters. The stored record contains the full text.`;
  warn({ code: 'text_shortened', pointer, detail });
  // Does not split a surrogate pair.
  return text.slice(0, MAX_LABEL - end.length).replace(/[\ud800-\udbff]$/, '') + end;
}

/** Reads an optional list of strings. Ignores elements of other types. */
export function optionalTexts(
  value: unknown,
  pointer: string,
  warn: Warn,
  read: typeof optionalText = optionalText,
): readonly string[] {
  if (!Array.isArray(value)) {
    warnOfType(warn, pointer, value, 'an array of strings');
    return [];
  }
  // Not `flatMap`, whose results take more memory.
  const texts: readonly (string | null)[] = value.map((item, at) => {
    // Blank elements are kept.
    if (typeof item === 'string' && item.trim() === '') return item;
    return read(item, `${pointer}/${at}`, warn);
  });
  const isText = (text: string | null) => text !== null;
  return texts.every(isText) ? texts : texts.filter(isText);
}

/**
 * Returns the value of the first field that is present. Null and blank values count as absent. Rejects the record if a
 * field has the wrong type or is too long, even if a later field is valid: guessing could assign the finding to the
 * wrong account. Returns `undefined` if all fields are absent.
 */
export function firstText(
  record: JsonObject,
  { fields, maxLength, normalize }: Source,
): string | Rejection | undefined {
  for (const { steps, pointer } of fields) {
    let value: unknown = record;
    for (const { parent, key } of steps) {
      if (value === undefined || value === null) break;
      if (!isObject(value)) return invalidType(parent, value, 'an object');
      value = value[key];
    }
    if (value === undefined || value === null) continue;
    if (typeof value !== 'string') return invalidType(pointer, value, 'a string');
    const text = normalize === undefined ? value : normalize(value);
    if (text.length > maxLength) return tooLong(pointer, text, maxLength);
    if (text.trim() !== '') return text;
  }
  return undefined;
}
