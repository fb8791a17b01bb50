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

/** A key of a field tree, and its slot in the extract builder. */
export interface PlacedField {
  readonly key: string;
  readonly type: 'field' | 'text' | 'object' | 'list';
  readonly slot: number;
  readonly below: readonly PlacedField[];
}

/** A field tree with a slot for each key. Fields, texts and element fields have consecutive slots, in this order. */
export interface FieldLayout {
  /** Identifies the tree and the format of extracts. */
  readonly id: number;
  readonly placed: readonly PlacedField[];
  readonly fieldCount: number;
  readonly textCount: number;
  readonly elementFieldCount: number;
}

/** Increase it when the extracts of the same tree change. */
const FORMAT = 1;

/** The slots that `assembly/scan-fields.ts` defines. */
export const SLOTS = 64;
export const FIRST_TEXT_SLOT = 32;
export const ELEMENT_SLOTS = 16;

/** @throws RangeError if the tree has too many fields, or a text in a list */
export function layOutFields(tree: FieldTree): FieldLayout {
  const record = { next: 0, nextText: FIRST_TEXT_SLOT, lastContainer: SLOTS };
  const element = { next: 0, nextText: ELEMENT_SLOTS, lastContainer: ELEMENT_SLOTS };
  const place = (fields: FieldTree, slots: typeof record): readonly PlacedField[] =>
    Object.entries(fields).map(([key, field]): PlacedField => {
      if (field === true) return { key, type: 'field', slot: slots.next++, below: [] };
      if (field === 'text') return { key, type: 'text', slot: slots.nextText++, below: [] };
      const slot = --slots.lastContainer;
      return isListOf(field)
        ? { key, type: 'list', slot, below: place(field[0], element) }
        : { key, type: 'object', slot, below: place(field, slots) };
    });
  const placed = place(tree, record);
  if (
    record.next > FIRST_TEXT_SLOT ||
    record.nextText > record.lastContainer ||
    element.next > element.lastContainer ||
    element.nextText > ELEMENT_SLOTS
  )
    throw new RangeError('the field tree has too many fields, or a text in a list');
  return {
    id: crc32(JSON.stringify([FORMAT, tree])),
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
