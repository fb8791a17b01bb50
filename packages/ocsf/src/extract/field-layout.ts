import { crc32 } from 'node:zlib';

/** A parsed JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The fields to read, by key: `true` for a value, `'text'` for a long value that many records share, a tree for an
 * object, and a tree in a list for an array of objects. At most one key of the record is a list; it contains no texts.
 */
export interface FieldTree {
  readonly [key: string]: true | 'text' | FieldTree | readonly [FieldTree];
}

/** A key of a field tree. A field or text has a slot in the extract builder. */
export interface PlacedField {
  readonly key: string;
  readonly type: 'field' | 'text' | 'object' | 'list';
  readonly slot: number;
  readonly below: readonly PlacedField[];
}

/** The attributes of an object whose absence is detected, by key. There are at most 32. */
export type TrackedObject = Readonly<Record<string, TrackedAttribute>>;

/** An attribute that is reported if it is missing, or whose value has tracked attributes. */
export interface TrackedAttribute {
  /** Not `undefined` if the attribute is reported. */
  readonly required?: unknown;
  /** The type of the value, if its attributes are tracked. */
  readonly object?: string;
  /** Whether the value is an array of such objects. */
  readonly isArray?: true;
}

/** The tracked attributes of records, and of the types of objects in them. */
export interface TrackedAttributes {
  readonly record: string;
  readonly types: Readonly<Record<string, TrackedObject>>;
}

/** A field tree with a slot for each key. Fields, texts and element fields have consecutive slots, in this order. */
export interface FieldLayout {
  /** Identifies the tree, the tracked attributes and the format of extracts. */
  readonly id: number;
  readonly placed: readonly PlacedField[];
  readonly fieldCount: number;
  readonly textCount: number;
  readonly elementFieldCount: number;
}

/** Increase it when the extracts of the same tree change. */
const FORMAT = 2;

/** The slots that `assembly/scan-fields.ts` defines. */
export const SLOTS = 64;
export const MISSING_SLOT = 31;
export const FIRST_TEXT_SLOT = 32;
export const ELEMENT_SLOTS = 16;

/** @throws RangeError if the tree has too many fields, or a text in a list */
export function layOutFields(tree: FieldTree, tracked?: TrackedAttributes): FieldLayout {
  const record = { next: 0, nextText: FIRST_TEXT_SLOT };
  const element = { next: 0, nextText: ELEMENT_SLOTS };
  const place = (fields: FieldTree, slots: typeof record): readonly PlacedField[] =>
    Object.entries(fields).map(([key, field]): PlacedField => {
      if (field === true) return { key, type: 'field', slot: slots.next++, below: [] };
      if (field === 'text') return { key, type: 'text', slot: slots.nextText++, below: [] };
      return isListOf(field)
        ? { key, type: 'list', slot: 0, below: place(field[0], element) }
        : { key, type: 'object', slot: 0, below: place(field, slots) };
    });
  const placed = place(tree, record);
  if (
    record.next > MISSING_SLOT ||
    record.nextText > SLOTS ||
    element.next > ELEMENT_SLOTS ||
    element.nextText > ELEMENT_SLOTS
  )
    throw new RangeError('the field tree has too many fields, or a text in a list');
  return {
    id: crc32(JSON.stringify([FORMAT, tree, tracked])),
    placed,
    fieldCount: record.next,
    textCount: record.nextText - FIRST_TEXT_SLOT,
    elementFieldCount: element.next,
  };
}

/** Whether a field of a tree describes an array of objects. */
export function isListOf(field: FieldTree[string]): field is readonly [FieldTree] {
  return Array.isArray(field);
}
