import { isObject } from '../detection-finding/fields.ts';
import type { JsonObject } from '../extract/field-layout.ts';
import {
  type Conditions,
  conditionsOf,
  declarationOf,
  isApplicable,
  isRequired,
  profileOf,
} from './applicable-attributes.ts';
import type { Attribute } from './attribute.ts';
import { REQUIRED_ATTRIBUTES } from './required-attributes.ts';

/** A required attribute that a record lacks. */
export interface MissingAttribute {
  /** JSON Pointer (RFC 6901) in which `*` stands for the index of an array. */
  readonly pointer: string;
  readonly detail: string;
}

/** The attributes of Detection Findings whose absence is detected, in any version. */
export const TRACKED_ATTRIBUTES = { record: 'detection_finding', types: REQUIRED_ATTRIBUTES };

/** Objects at this depth below the record are not searched for objects with missing attributes. */
export const MAX_DEPTH = 5;

const VERSION_MISSING: readonly MissingAttribute[] = [
  {
    pointer: '/metadata/version',
    detail:
      'OCSF requires this attribute, but it is missing or null. Other missing attributes cannot be detected without the version.',
  },
];
const NONE: readonly MissingAttribute[] = [];

/** The tracked attributes of a type in the order of their numbers (`ExtractReader.missing`). */
const ATTRIBUTES: ReadonlyMap<string, readonly (readonly [name: string, attribute: Attribute])[]> = new Map(
  Object.entries(REQUIRED_ATTRIBUTES).map(([type, attributes]) => [type, Object.entries(attributes)]),
);

function attributesOf(type: string): readonly (readonly [string, Attribute])[] {
  const attributes = ATTRIBUTES.get(type);
  if (attributes === undefined) throw new Error(`the type ${type} does not exist`);
  return attributes;
}

/**
 * Returns the attributes that OCSF requires for the record's version and profiles but that are missing or null, each
 * once. Returns nothing for versions whose requirements are not known. A value of another type counts as present, and is
 * not searched.
 */
export function findMissingAttributes(record: JsonObject): readonly MissingAttribute[] {
  return find(record, (conditions, add) =>
    searchObject(record, TRACKED_ATTRIBUTES.record, '', 0, conditions, add),
  );
}

/** Does the same for a record from an extract. `code` is its `ExtractReader.missing`. */
export function decodeMissingAttributes(record: JsonObject, code: string): readonly MissingAttribute[] {
  return find(record, (conditions, add) => {
    new CodeReader(code, conditions, add).read(TRACKED_ATTRIBUTES.record, '');
  });
}

type Add = (pointer: string, attribute: Attribute) => void;

function find(
  record: JsonObject,
  search: (conditions: Conditions, add: Add) => void,
): readonly MissingAttribute[] {
  const declaration = declarationOf(record);
  if (declaration.version === undefined || declaration.version === null) return VERSION_MISSING;
  const conditions = conditionsOf(declaration);
  if (conditions === undefined) return NONE;
  const found = new Map<string, MissingAttribute>();
  search(conditions, (pointer, attribute) => {
    const profile = profileOf(attribute, conditions);
    const scope = profile === undefined ? '' : ` in records with the profile ${profile}`;
    const detail = `OCSF 1.${conditions.version} requires this attribute${scope}, but it is missing or null.`;
    if (!found.has(pointer)) found.set(pointer, { pointer, detail });
  });
  return [...found.values()];
}

function searchObject(
  object: JsonObject,
  type: string,
  pointer: string,
  depth: number,
  conditions: Conditions,
  add: Add,
): void {
  for (const [name, attribute] of attributesOf(type)) {
    if (!isApplicable(attribute, conditions)) continue;
    const value = object[name];
    const below = `${pointer}/${name}`;
    if (value === undefined || value === null) {
      if (isRequired(attribute, conditions)) add(below, attribute);
      continue;
    }
    const { object: nested, isArray } = attribute;
    if (nested === undefined || depth === MAX_DEPTH) continue;
    if (isArray && Array.isArray(value)) {
      for (const element of value)
        if (isObject(element)) searchObject(element, nested, `${below}/*`, depth + 1, conditions, add);
    } else if (!isArray && isObject(value)) searchObject(value, nested, below, depth + 1, conditions, add);
  }
}

const FIRST_NUMBER = 0x30;

/** Reads the code of a record from its start to its end. */
class CodeReader {
  readonly #code: string;
  readonly #conditions: Conditions;
  readonly #add: Add;
  #at = 0;

  constructor(code: string, conditions: Conditions, add: Add) {
    this.#code = code;
    this.#conditions = conditions;
    this.#add = add;
  }

  /** Reads an object of this type, or all objects of an array. */
  read(type: string, pointer: string, isInScope = true): void {
    const attributes = attributesOf(type);
    while (this.#at < this.#code.length) {
      const character = this.#code[this.#at++];
      if (character === '}') return;
      const isNested = character === '{';
      const [name, attribute] =
        attributes[this.#code.charCodeAt(isNested ? this.#at++ : this.#at - 1) - FIRST_NUMBER] ?? [];
      if (name === undefined || attribute === undefined)
        throw new Error('the code of missing attributes is invalid');
      const isApplied = isInScope && isApplicable(attribute, this.#conditions);
      const below = `${pointer}/${name}`;
      if (!isNested) {
        if (isApplied && isRequired(attribute, this.#conditions)) this.#add(below, attribute);
      } else this.read(attribute.object ?? '', attribute.isArray ? `${below}/*` : below, isApplied);
    }
  }
}
