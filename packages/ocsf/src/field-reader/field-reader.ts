import { compileWasm, instantiateWasm } from '../load-wasm.ts';

/** A parsed JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The fields to read, by key: `true` for a scalar value, a tree for an object, and a tree in a list for an array whose
 * first element is an object.
 */
export interface FieldTree {
  readonly [key: string]: true | FieldTree | readonly [FieldTree];
}

/** The bytes of a record: [start, end) of the buffer. */
interface Place {
  readonly start: number;
  readonly end: number;
}

/** The exports of `assembly/scan-fields.ts`, which documents the memory layout. */
interface Scanner {
  readonly memory: WebAssembly.Memory;
  readonly scan: (records: number) => void;
  readonly MAX_RECORDS: WebAssembly.Global;
  readonly MAX_TEXT: WebAssembly.Global;
  readonly MAX_SLOTS: WebAssembly.Global;
  readonly PADDING: WebAssembly.Global;
  readonly MAX_KEY: WebAssembly.Global;
  readonly keys: WebAssembly.Global;
  readonly spans: WebAssembly.Global;
  readonly rows: WebAssembly.Global;
  readonly text: WebAssembly.Global;
}

/**
 * A value to read: the slot in which the scanner stores its position, and the object and key that expose it in the
 * view.
 */
interface Leaf {
  readonly slot: number;
  readonly holder: Record<string, unknown>;
  readonly key: string;
  /** The position of the value that the view currently exposes. */
  shown: number;
}

/** An array whose first element is read, and the slot that contains its length. */
interface List {
  readonly slot: number;
  readonly elements: unknown[];
}

const ENTRY_BYTES = 32;
const ENTRY_KEY = 16;
const LEAF = 0;
const OBJECT = 1;
const FIRST_OBJECT = 2;

/** A slot consists of a position and a packed word (the value's length * 4 + its type). */
const WORDS_PER_SLOT = 2;
const TYPE_MASK = 3;
const PLAIN_TEXT = 1;
const ESCAPED_TEXT = 2;
const LENGTH_SHIFT = 2;
/** A position that never occurs. */
const NO_POSITION = -1;

const scannerModule = compileWasm(new URL('./scan-fields.wasm', import.meta.url));

/**
 * Reads a few fields of many records directly from their bytes, in less than half the time of `JSON.parse` and with few
 * allocations. Still validates the syntax of each whole record, so it never returns fields of invalid JSON.
 */
export class FieldReader {
  readonly #scanner: Scanner;
  readonly #maxRecords: number;
  readonly #maxText: number;
  readonly #text: Uint8Array;
  readonly #spans: Uint32Array;
  readonly #rows: Uint32Array;
  readonly #rowWords: number;
  /** The same object for all records. Most values in a file repeat, and repeated values do not have to be set again. */
  readonly #view: JsonObject;
  readonly #leaves: readonly Leaf[];
  readonly #lists: readonly List[];
  /** The loaded bytes. The scanner's text is a copy of `bytes` from index `from` on. */
  #bytes: Buffer = Buffer.alloc(0);
  #encoding: 'latin1' | 'utf8' = 'utf8';
  #from = 0;

  /** @throws RangeError if the tree has more fields or longer keys than the scanner supports */
  constructor(tree: FieldTree) {
    const scanner = instantiateWasm<Scanner>(scannerModule);
    const { memory, MAX_RECORDS, MAX_TEXT, MAX_SLOTS, PADDING } = scanner;
    this.#scanner = scanner;
    this.#maxRecords = MAX_RECORDS.value;
    this.#maxText = MAX_TEXT.value;
    this.#rowWords = (MAX_SLOTS.value + 1) * WORDS_PER_SLOT;
    this.#text = new Uint8Array(memory.buffer, scanner.text.value, this.#maxText + PADDING.value);
    this.#spans = new Uint32Array(memory.buffer, scanner.spans.value, this.#maxRecords * 2);
    this.#rows = new Uint32Array(memory.buffer, scanner.rows.value, this.#maxRecords * this.#rowWords);
    const { view, leaves, lists } = writeKeys(scanner, tree);
    this.#view = view;
    this.#leaves = leaves;
    this.#lists = lists;
  }

  /**
   * Scans records from the given one on until the buffer is full, so that `record` can read them. Returns the number of
   * scanned records, which is 0 if the first record is larger than 1 MiB. The bytes must not change until the records
   * are read.
   *
   * @param encoding the known encoding of the bytes: `latin1` for ASCII, or `utf8`
   */
  load(bytes: Buffer, encoding: 'latin1' | 'utf8', records: readonly Place[], first: number): number {
    this.#bytes = bytes;
    this.#encoding = encoding;
    for (const leaf of this.#leaves) leaf.shown = NO_POSITION;
    const count = this.#copyRecords(records, first);
    this.#scanner.scan(count);
    return count;
  }

  /**
   * Returns the fields of the nth loaded record as `JSON.parse` would, except that absent fields are `undefined`. An
   * array has its correct length but only its first element; an empty array has the length 1. Every call returns the
   * same object, which the next call overwrites.
   *
   * Returns `undefined` for a record that must be parsed in full: it is not valid JSON, repeats a requested key, has an
   * escaped key in the same object as a requested key, or has an object in place of a scalar or vice versa.
   */
  record(n: number): JsonObject | undefined {
    const row = n * this.#rowWords;
    if (this.#rows[row] !== 1) return undefined;
    for (const leaf of this.#leaves) {
      const at = row + (leaf.slot + 1) * WORDS_PER_SLOT;
      const place = this.#rows[at] ?? 0;
      if (place === leaf.shown) continue;
      leaf.shown = place;
      leaf.holder[leaf.key] = this.#value(place, this.#rows[at + 1] ?? 0);
    }
    for (const { slot, elements } of this.#lists) {
      elements.length = Math.max(1, this.#rows[row + (slot + 1) * WORDS_PER_SLOT] ?? 0);
    }
    return this.#view;
  }

  /**
   * Copies records to the scanner's memory, starting with `first`, until the memory is full. Returns the number of
   * copied records.
   */
  #copyRecords(records: readonly Place[], first: number): number {
    const from = records[first]?.start ?? 0;
    if (from < 0) return 0;
    const place = this.#scanner.text.value - from;
    let count = 0;
    let end = from;
    for (; count < this.#maxRecords; count++) {
      const record = records[first + count];
      if (record === undefined || record.start < end || record.end - from > this.#maxText) break;
      end = record.end;
      this.#spans[count * 2] = place + record.start;
      this.#spans[count * 2 + 1] = place + end;
    }
    this.#text.set(this.#bytes.subarray(from, end));
    this.#text.fill(0, end - from, end - from + this.#scanner.PADDING.value);
    this.#from = from - this.#scanner.text.value;
    return count;
  }

  #value(place: number, packed: number): unknown {
    if (packed === 0) return undefined;
    const start = this.#from + place;
    const text = this.#bytes.toString(this.#encoding, start, start + (packed >>> LENGTH_SHIFT));
    const type = packed & TYPE_MASK;
    return type === PLAIN_TEXT ? text : JSON.parse(type === ESCAPED_TEXT ? `"${text}"` : text);
  }
}

/** Writes the key lists into the scanner's memory: the keys of the record first, then the nested keys. */
function writeKeys(
  { memory, keys, MAX_KEY, MAX_SLOTS }: Scanner,
  tree: FieldTree,
): { readonly view: JsonObject; readonly leaves: readonly Leaf[]; readonly lists: readonly List[] } {
  const table = Buffer.from(memory.buffer, keys.value);
  const leaves: Leaf[] = [];
  const lists: List[] = [];
  let slots = 0;
  let end = 0;
  const writeList = (list: FieldTree): { readonly place: number; readonly view: JsonObject } => {
    const place = end;
    const holder: Record<string, unknown> = {};
    const entries = Object.entries(list);
    end += (entries.length + 1) * ENTRY_BYTES;
    for (const [position, [key, value]] of entries.entries()) {
      const slot = slots++;
      const length = Buffer.byteLength(key);
      if (length === 0 || length > MAX_KEY.value || slots > MAX_SLOTS.value) {
        throw new RangeError(`the scanner does not support the field '${key}'`);
      }
      const entry = place + position * ENTRY_BYTES;
      table.write(key, entry + ENTRY_KEY);
      if (value === true) {
        table.set([length, LEAF, slot], entry);
        holder[key] = undefined;
        leaves.push({ slot, holder, key, shown: NO_POSITION });
        continue;
      }
      const below = writeList(isFirstOf(value) ? value[0] : value);
      table.set([length, isFirstOf(value) ? FIRST_OBJECT : OBJECT, slot], entry);
      table.writeUInt32LE(below.place, entry + 4);
      const elements = [below.view];
      if (isFirstOf(value)) lists.push({ slot, elements });
      holder[key] = isFirstOf(value) ? elements : below.view;
    }
    return { place, view: holder };
  };
  const { view } = writeList(tree);
  return { view, leaves, lists };
}

/** Whether a field of a tree describes an array whose first element is an object. */
export function isFirstOf(value: FieldTree[string]): value is readonly [FieldTree] {
  return Array.isArray(value);
}
