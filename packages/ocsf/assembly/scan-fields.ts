/**
 * Extracts requested fields from JSON records (RFC 8259) without parsing the other values, and checks the syntax of each
 * whole record. Records that this module does not support are marked as unread, and the caller parses them in full.
 * Written in AssemblyScript; `npm run build:wasm` compiles this file to `src/extract/scan-fields.wasm`, which
 * `extract-builder.ts` loads.
 */

import {
  byteAt,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  closingQuote,
  escaped,
  NULL,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  skipSpace,
  skipValue,
} from './json-tokens';

/** Maximum records per call. */
export const MAX_RECORDS: u32 = 256;
/** Maximum bytes of text per call, from the start of the first record to the end of the last. */
export const MAX_TEXT: u32 = 1 << 20;
/** Number of slots of a record. The first are fields, the last are containers, and texts are between them. */
export const SLOTS: u32 = 64;
export const FIRST_TEXT_SLOT: u32 = 32;
/** Number of slots of an element of the record's list. The first are fields, the last are containers. */
export const ELEMENT_SLOTS: u32 = 16;
/** Maximum number of list elements that are read. Further elements are only counted. */
export const MAX_ELEMENTS: u32 = 100;
/** Number of zero bytes after the text, which may be read and which end any token. */
export const PADDING: u32 = 32;
/** Maximum length of a requested key. Keys are compared in a single 16-byte operation. */
export const MAX_KEY: u32 = 16;

/**
 * Layout of a key entry: u8 key length, u8 value type, u8 slot, u8 0, u32 offset of the nested entries, 8 zero bytes,
 * the key.
 */
const ENTRY: usize = 32;
const ENTRY_KEY: usize = 16;
const LEAF: u32 = 0;
const OBJECT: u32 = 1;

/**
 * The entries of the requested keys, starting with the keys of the record itself. An entry with an empty key ends a
 * list.
 */
export const keys: usize = memory.data(4096);
/** For each record, the address of its first byte and the address after its last byte, as two u32. */
export const spans: usize = memory.data(256 * 8);
export const text: usize = memory.data(1048576 + 32);
/**
 * The extracted fields of all records. A record consists of its element count plus 1 (0 if it is unread), its fields,
 * and the fields of its elements. Every number is in LEB128.
 */
export const fields: usize = memory.data(2097152);
/** The extracted texts of all records. */
export const texts: usize = memory.data(1048576 + 65536);
/** For each record, the end of its texts and their hash, as two u32. */
export const rows: usize = memory.data(256 * 8);

/**
 * A slot consists of the address of a value and a packed word (its length * 4 + its type). Both are 0 if the field is
 * absent. A field is written as its packed word and its bytes, unless it is absent (0) or has the same bytes as the
 * last value of its slot.
 */
const SLOT: usize = 8;
const ROW: usize = 64 * 8;
const ELEMENT_ROW: usize = 16 * 8;
const ALL_ROWS: usize = ROW + 100 * ELEMENT_ROW;
const TEXT: u32 = 1;
const ESCAPED_TEXT: u32 = 2;
/** Any other JSON value. */
const OTHER: u32 = 3;
const SAME: u32 = 4;
/** Marks a container as present. */
const SEEN: u32 = 1;

/** The slots of the current record, followed by those of its elements. */
const slots: usize = memory.data(64 * 8 + 100 * 16 * 8);
/** The last value of each slot in this call. */
const lastValues: usize = memory.data(64 * 8 + 100 * 16 * 8);

/** The slots of the object that is being read: the record or an element. */
let row: usize = slots;
let elements: u32 = 0;
let output: usize = fields;

/**
 * Reads the records of `spans`, with the given number of fields and texts of a record and fields of an element. Returns
 * the length of `fields`.
 */
export function scan(records: u32, fieldCount: u32, textCount: u32, elementFieldCount: u32): u32 {
  memory.fill(lastValues, 0, ALL_ROWS);
  output = fields;
  let textOutput = texts;
  for (let record: u32 = 0; record < records; record++) {
    const start = <usize>load<u32>(spans + ((<usize>record) << 3));
    const end = <usize>load<u32>(spans + ((<usize>record) << 3), 4);
    const place = rows + ((<usize>record) << 3);
    memory.fill(slots, 0, ROW);
    row = slots;
    elements = 0;
    const textStart = textOutput;
    if (byteAt(start) === OPEN_BRACE && wantedObject(keys, start) === end) {
      writeNumber(elements + 1);
      writeFields(0, fieldCount);
      for (let element: u32 = 0; element < min(elements, MAX_ELEMENTS); element++)
        writeFields(ROW + <usize>element * ELEMENT_ROW, elementFieldCount);
      const fieldOutput = output;
      output = textOutput;
      for (let slot: u32 = 0; slot < textCount; slot++)
        writeValue(slots + <usize>(FIRST_TEXT_SLOT + slot) * SLOT);
      textOutput = output;
      output = fieldOutput;
    } else writeNumber(0);
    store<u32>(place, <u32>(textOutput - texts));
    store<u32>(place, hashOf(textStart, textOutput), 4);
  }
  return <u32>(output - fields);
}

function writeNumber(value: u32): void {
  let remaining = value;
  while (remaining >= 0x80) {
    store<u8>(output++, remaining | 0x80);
    remaining >>= 7;
  }
  store<u8>(output++, remaining);
}

function writeFields(offset: usize, count: u32): void {
  for (let at = offset; at < offset + <usize>count * SLOT; at += SLOT) {
    const slot = slots + at;
    const last = lastValues + at;
    const packed = load<u32>(slot, 4);
    if (packed === 0) store<u8>(output++, 0);
    else if (load<u32>(last, 4) === packed && areEqual(load<u32>(slot), load<u32>(last), packed >> 2)) {
      store<u8>(output++, SAME);
    } else {
      store<u64>(last, load<u64>(slot));
      writeValue(slot);
    }
  }
}

function writeValue(slot: usize): void {
  const packed = load<u32>(slot, 4);
  const length = <usize>(packed >> 2);
  writeNumber(packed);
  memory.copy(output, load<u32>(slot), length);
  output += length;
}

function areEqual(a: usize, b: usize, length: u32): bool {
  for (let from: u32 = 0; from < length; from += 16) {
    const differences = ~i8x16.bitmask(i8x16.eq(v128.load(a + from), v128.load(b + from)));
    if (<u32>ctz(differences) < min<u32>(length - from, 16)) return false;
  }
  return true;
}

/** May overwrite the 8 bytes after the end. */
function hashOf(start: usize, end: usize): u32 {
  store<u64>(end, 0);
  let hash: u64 = end - start;
  for (let at = start; at < end; at += 8) {
    hash = (hash ^ load<u64>(at)) * 0x9e3779b97f4a7;
    hash ^= hash >> 32;
  }
  return <u32>hash;
}

/**
 * Reads those fields of an object that are listed in `entries`. This and the following functions take the address of a
 * value and return the address after it, or 0 if the value is not valid JSON or not supported.
 */
function wantedObject(entries: usize, start: usize): usize {
  let at = skipSpace(start + 1);
  if (byteAt(at) === CLOSE_BRACE) return at + 1;
  while (true) {
    if (byteAt(at) !== QUOTE) return 0;
    const key = at + 1;
    const keyEnd = closingQuote(key);
    // An escaped key may be equal to a requested key.
    if (keyEnd === 0 || escaped) return 0;
    at = skipSpace(keyEnd + 1);
    if (byteAt(at) !== COLON) return 0;
    at = skipSpace(at + 1);
    const entry = findKey(entries, key, <u32>(keyEnd - key));
    at = entry === 0 ? skipValue(at) : wantedValue(entry, at);
    if (at === 0) return 0;
    at = skipSpace(at);
    if (byteAt(at) === CLOSE_BRACE) return at + 1;
    if (byteAt(at) !== COMMA) return 0;
    at = skipSpace(at + 1);
  }
}

function findKey(entries: usize, key: usize, length: u32): usize {
  const bytes = v128.load(key);
  let entry = entries;
  while (true) {
    const entryLength = <u32>load<u8>(entry);
    if (entryLength === 0) return 0;
    if (entryLength === length) {
      const differences = ~i8x16.bitmask(i8x16.eq(bytes, v128.load(entry, ENTRY_KEY)));
      if (<u32>ctz(differences) >= length) return entry;
    }
    entry += ENTRY;
  }
}

function wantedValue(entry: usize, at: usize): usize {
  const slot = row + <usize>load<u8>(entry, 2) * SLOT;
  // If a key is repeated, `JSON.parse` uses its last value. Such records are rare, so the caller parses them in full.
  if (load<u32>(slot, 4) !== 0) return 0;
  const holds = <u32>load<u8>(entry, 1);
  if (holds === LEAF) return wantedLeaf(slot, at);
  store<u32>(slot, SEEN, 4);
  if (load<u32>(at) === NULL) return at + 4;
  const below = keys + load<u32>(entry, 4);
  if (holds !== OBJECT) return wantedElements(below, at);
  return byteAt(at) === OPEN_BRACE ? wantedObject(below, at) : 0;
}

/** Reads the fields listed in `entries` from an array's elements, which must be objects. */
function wantedElements(entries: usize, start: usize): usize {
  if (byteAt(start) !== OPEN_BRACKET) return 0;
  let at = skipSpace(start + 1);
  if (byteAt(at) === CLOSE_BRACKET) return at + 1;
  while (true) {
    elements++;
    if (elements <= MAX_ELEMENTS) {
      if (byteAt(at) !== OPEN_BRACE) return 0;
      row = slots + ROW + <usize>(elements - 1) * ELEMENT_ROW;
      memory.fill(row, 0, ELEMENT_ROW);
      at = wantedObject(entries, at);
    } else at = skipValue(at);
    if (at === 0) return 0;
    at = skipSpace(at);
    if (byteAt(at) === CLOSE_BRACKET) {
      row = slots;
      return at + 1;
    }
    if (byteAt(at) !== COMMA) return 0;
    at = skipSpace(at + 1);
  }
}

function wantedLeaf(slot: usize, start: usize): usize {
  const isText = byteAt(start) === QUOTE;
  const end = skipValue(start);
  if (end === 0) return 0;
  const at = isText ? start + 1 : start;
  const length = <u32>(end - start) - (isText ? 2 : 0);
  store<u32>(slot, <u32>at);
  store<u32>(slot, (length << 2) | (isText ? (escaped ? ESCAPED_TEXT : TEXT) : OTHER), 4);
  return end;
}
