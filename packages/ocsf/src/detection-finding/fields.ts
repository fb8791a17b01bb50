import { invalidType, type Rejection, tooLong } from './rejection.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** A field by its keys from the record down, with its JSON Pointer. */
export interface Field {
  readonly keys: readonly string[];
  readonly pointer: string;
}

export function field(...keys: readonly string[]): Field {
  return { keys, pointer: `/${keys.join('/')}` };
}

/** Fields that can say the same thing, the first choice first, and how long their text may be (UTF-16 units). */
export interface Source {
  readonly fields: readonly [Field, ...Field[]];
  readonly maxLength: number;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object under a key, or an empty one: for fields whose absence costs nothing. */
export function objectAt(parent: JsonObject, key: string): JsonObject {
  const value = parent[key];
  return isObject(value) ? value : {};
}

/** The text of an optional field: `null` where it is absent, blank or of another type. */
export function optionalText(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/** The texts of an optional list; what is no text in it is left out. */
export function optionalTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/**
 * The text of the first of the fields that the record has; null and blank text count as absent. A field that
 * is there with another type or too long is a rejection and no reason to look further: guessing past it could
 * place the finding in another account. `undefined` when the record has none of them.
 */
export function firstText(record: JsonObject, { fields, maxLength }: Source): string | Rejection | undefined {
  for (const { keys, pointer } of fields) {
    let value: unknown = record;
    for (const [level, key] of keys.entries()) {
      if (value === undefined || value === null) break;
      if (!isObject(value)) return invalidType(`/${keys.slice(0, level).join('/')}`, value, 'an object');
      value = value[key];
    }
    if (value === undefined || value === null) continue;
    if (typeof value !== 'string') return invalidType(pointer, value, 'a string');
    if (value.length > maxLength) return tooLong(pointer, value, maxLength);
    if (value.trim() !== '') return value;
  }
  return undefined;
}
