import { hash } from 'node:crypto';
import { invalidType, type Rejection, tooLong } from './rejection.ts';
import { type Warn, warnOfType } from './warning.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** A field by its keys from the record down, with its JSON Pointer. */
export interface Field {
  readonly keys: readonly string[];
  readonly pointer: string;
}

export function field(...keys: readonly string[]): Field {
  return { keys, pointer: `/${keys.join('/')}` };
}

/** Fields that can say the same thing, the first choice first. */
export interface Source {
  readonly fields: readonly [Field, ...Field[]];
  /** Maximum length of the text, normalized, in UTF-16 units. */
  readonly maxLength: number;
  readonly normalize?: (text: string) => string;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Converts digits in a string to a number, as some producers write numbers; any other value is returned unchanged. */
export function readNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\s*-?\d+(?:\.\d+)?\s*$/.test(value) ? Number(value) : value;
}

/** An object that holds optional fields; an empty one where it is absent or of another type. */
export function optionalObject(value: unknown, pointer: string, warn: Warn): JsonObject {
  if (isObject(value)) return value;
  warnOfType(warn, pointer, value, 'an object');
  return {};
}

/** The text of an optional field: `null` where it is absent, blank or of another type. */
export function optionalText(value: unknown, pointer: string, warn: Warn): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  warnOfType(warn, pointer, value, 'a string');
  return null;
}

/**
 * Maximum length, in UTF-16 units, of the optional texts that findings are counted, filtered or grouped by. At this length
 * any text fits into an entry of a PostgreSQL B-tree, which has at most 2,704 bytes.
 */
export const MAX_LABEL = 512;

/** As `optionalText`, for a text that is part of an index: a longer one is shortened. */
export function optionalLabel(value: unknown, pointer: string, warn: Warn): string | null {
  return labelOf(optionalText(value, pointer, warn), pointer, warn);
}

export function labelOf(text: string | null, pointer: string, warn: Warn): string | null {
  return text === null || text.length <= MAX_LABEL ? text : shortened(text, pointer, warn);
}

/** The texts of an optional list; any other element is ignored. */
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
  return value.flatMap((item, at) => {
    // A blank element is kept: it is a text.
    if (typeof item === 'string' && item.trim() === '') return [item];
    return read(item, `${pointer}/${at}`, warn) ?? [];
  });
}

/** Ends in a hash of the whole text, so that two long texts stay distinct. */
function shortened(text: string, pointer: string, warn: Warn): string {
  const end = `…${hash('sha256', text).slice(0, 16)}`;
  const detail = `${pointer} is ${text.length} characters long and was shortened to ${MAX_LABEL}; the record itself has all of it`;
  warn({ code: 'text_shortened', pointer, detail });
  // A surrogate pair is not cut in half.
  return text.slice(0, MAX_LABEL - end.length).replace(/[\ud800-\udbff]$/, '') + end;
}

/**
 * The text of the first of the fields that the record has; null and blank text count as absent. A field that
 * is there with another type or too long is a rejection and no reason to look further: guessing past it could
 * place the finding in another account. `undefined` when the record has none of them.
 */
export function firstText(
  record: JsonObject,
  { fields, maxLength, normalize }: Source,
): string | Rejection | undefined {
  for (const { keys, pointer } of fields) {
    let value: unknown = record;
    for (const [level, key] of keys.entries()) {
      if (value === undefined || value === null) break;
      if (!isObject(value)) return invalidType(`/${keys.slice(0, level).join('/')}`, value, 'an object');
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
