import { HEADER_BYTES } from './extract-builder.ts';
import type { FieldLayout, JsonObject, PlacedField } from './field-layout.ts';

/** A value of the view, with the last value that was read. */
interface Leaf {
  readonly slot: number;
  readonly holder: Record<string, unknown>;
  readonly key: string;
  last: unknown;
  isPresent: boolean;
}

/** The leaves of an object that is returned for every record, in the order of their slots. */
interface View {
  readonly object: JsonObject;
  readonly fields: readonly Leaf[];
  readonly texts: readonly Leaf[];
}

const ABSENT = 0;
const SAME = 4;
const TYPE_MASK = 3;
const PLAIN_TEXT = 1;
const ESCAPED_TEXT = 2;
const LENGTH_SHIFT = 2;
/** An extract contains at most this many elements of a list. */
export const MAX_ELEMENTS = 100;

/**
 * Reads the fields of consecutive records from an extract. Decodes only values that differ from those of the previous
 * record, because most values in a file repeat.
 */
export class ExtractReader {
  readonly #extract: Buffer;
  readonly #encoding: 'latin1' | 'utf8';
  readonly #list: unknown[] = [];
  readonly #listFields: readonly PlacedField[];
  readonly #elements: View[] = [];
  readonly #view: View;
  readonly #missing: Leaf = leafOf(0, {}, 'code');
  readonly #textView: View;
  readonly #textNumbersAt: number;
  /** The offset of each text. */
  readonly #textOffsets: readonly number[];
  #next = 0;
  #at = HEADER_BYTES;

  /** The extract must have the layout (`isExtractOf`). */
  constructor({ placed }: FieldLayout, extract: Buffer) {
    this.#extract = extract;
    this.#encoding = extract.readUInt32LE(4) === 1 ? 'latin1' : 'utf8';
    const records = extract.readUInt32LE(8);
    this.#textNumbersAt = HEADER_BYTES + extract.readUInt32LE(12);
    const textOffsets: number[] = [];
    for (let at = this.#textNumbersAt + records * 4; at < extract.length; ) {
      textOffsets.push(at + 4);
      at += 4 + extract.readUInt32LE(at);
    }
    this.#textOffsets = textOffsets;
    this.#view = viewOf(placed, this.#list);
    this.#textView = viewOf(placed);
    this.#listFields = placed.find(({ type }) => type === 'list')?.below ?? [];
  }

  /**
   * Returns the fields of the next record as `JSON.parse` would, except that absent fields are `undefined`, absent
   * objects are empty, and an absent list is empty. A list has its correct length, but at most 100 elements. Texts are
   * `undefined`. Every call returns the same object, which the next call overwrites.
   *
   * Returns `undefined` for a record that must be parsed in full: it has a problem, is too large, is not valid UTF-8 or
   * JSON, repeats a requested key, has an escaped key in the same object as a requested key, or has another value in
   * place of a requested object or list.
   */
  next(): JsonObject | undefined {
    this.#next++;
    const packedCount = this.#number();
    if (packedCount === 0) return undefined;
    for (const leaf of this.#view.fields) this.#read(leaf);
    this.#read(this.#missing);
    const count = packedCount - 1;
    const list = this.#list;
    const read = Math.min(count, MAX_ELEMENTS);
    list.length = Math.min(list.length, read);
    for (let n = 0; n < read; n++) {
      const element = this.#elements[n] ?? this.#addElement();
      for (const leaf of element.fields) this.#read(leaf);
      list[n] = element.object;
    }
    list.length = count;
    return this.#view.object;
  }

  /**
   * The tracked attributes that the last record lacks, as text. In an object, each is the character of its number plus
   * 48. The attributes of a nested object, or of all objects in an array, are in braces after the number of its
   * attribute: `{` NUMBER ATTRIBUTES `}`.
   */
  get missing(): string {
    return typeof this.#missing.holder.code === 'string' ? this.#missing.holder.code : '';
  }

  /** The number of the last record's texts. Records with the same number have the same texts. */
  get textNumber(): number {
    return this.#extract.readUInt32LE(this.#textNumbersAt + (this.#next - 1) * 4);
  }

  /** The encoded texts with this number. Texts with the same bytes are equal. */
  textBytes(number: number): Buffer {
    const at = this.#textOffsets[number] ?? 0;
    return this.#extract.subarray(at, at + this.#extract.readUInt32LE(at - 4));
  }

  /** Returns the texts with this number. Every call returns the same object, which the next call overwrites. */
  texts(number: number): JsonObject {
    const at = this.#at;
    this.#at = this.#textOffsets[number] ?? 0;
    for (const leaf of this.#textView.texts) this.#read(leaf);
    this.#at = at;
    return this.#textView.object;
  }

  #addElement(): View {
    const element = viewOf(this.#listFields);
    this.#elements.push(element);
    return element;
  }

  #read(leaf: Leaf): void {
    const packed = this.#number();
    if (packed === ABSENT) {
      if (leaf.isPresent) leaf.holder[leaf.key] = undefined;
      leaf.isPresent = false;
      return;
    }
    if (packed !== SAME) leaf.last = this.#value(packed);
    else if (leaf.isPresent) return;
    leaf.isPresent = true;
    leaf.holder[leaf.key] = leaf.last;
  }

  #value(packed: number): unknown {
    const start = this.#at;
    this.#at += packed >>> LENGTH_SHIFT;
    const text = this.#extract.toString(this.#encoding, start, this.#at);
    const type = packed & TYPE_MASK;
    return type === PLAIN_TEXT ? text : JSON.parse(type === ESCAPED_TEXT ? `"${text}"` : text);
  }

  #number(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#extract[this.#at++] ?? 0;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }
}

/** Whether the bytes are an extract with this layout. Other releases may write others. */
export function isExtractOf({ id }: FieldLayout, bytes: Buffer): boolean {
  return bytes.length >= HEADER_BYTES && bytes.readUInt32LE(0) === id;
}

function viewOf(placed: readonly PlacedField[], list: readonly unknown[] = []): View {
  const leaves: Leaf[] = [];
  const texts: Leaf[] = [];
  const objectOf = (fields: readonly PlacedField[]): JsonObject => {
    const holder: Record<string, unknown> = {};
    for (const { key, type, slot, below } of fields) {
      holder[key] = type === 'object' ? objectOf(below) : type === 'list' ? list : undefined;
      const leaf = leafOf(slot, holder, key);
      if (type === 'field') leaves.push(leaf);
      if (type === 'text') texts.push(leaf);
    }
    return holder;
  };
  return { object: objectOf(placed), fields: leaves.sort(bySlot), texts: texts.sort(bySlot) };
}

function leafOf(slot: number, holder: Record<string, unknown>, key: string): Leaf {
  return { slot, holder, key, last: undefined, isPresent: false };
}

function bySlot(a: Leaf, b: Leaf): number {
  return a.slot - b.slot;
}
