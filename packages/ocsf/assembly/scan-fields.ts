/**
 * Finds requested fields in JSON records (RFC 8259) without parsing the other values, and checks the syntax of each
 * whole record. Records that the scanner does not support are marked as unread, and the caller parses them in full.
 * Written in AssemblyScript; `npm run build:wasm` compiles this file to `src/field-reader/scan-fields.wasm`, which
 * `field-reader.ts` loads.
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
  skipScalar,
  skipSpace,
  skipValue,
} from './json-tokens';

/** Maximum records per call. */
export const MAX_RECORDS: u32 = 256;
/** Maximum bytes of text per call, from the start of the first record to the end of the last. */
export const MAX_TEXT: u32 = 1 << 20;
/** Maximum number of requested fields, including containers. */
export const MAX_SLOTS: u32 = 63;
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
/**
 * For each record, a row of `MAX_SLOTS + 1` pairs of u32. The first pair states whether the record was read. The
 * record's slots follow.
 */
export const rows: usize = memory.data(256 * 64 * 8);
export const text: usize = memory.data(1048576 + 32);
const ROW: usize = 64 * 8;

/**
 * A slot consists of the address of a value and a packed word (its length * 4 + its type). Both are 0 if the field is
 * absent. Equal values in consecutive records share the address of the first value.
 */
const TEXT: u32 = 1;
const ESCAPED_TEXT: u32 = 2;
/** A number, true, false or null. */
const OTHER: u32 = 3;
/** Marks a container as present. In an array's slot, the first word is the element count. */
const SEEN: u32 = 1;

/** The slots of the current record and of the last record that was read. */
let slots: usize = 0;
let slotsBefore: usize = 0;

/** Reads the records of `spans` into `rows`. */
export function scan(records: u32): void {
  slotsBefore = 0;
  for (let record: u32 = 0; record < records; record++) {
    const row = rows + <usize>record * ROW;
    memory.fill(row, 0, ROW);
    slots = row + 8;
    const start = <usize>load<u32>(spans + ((<usize>record) << 3));
    const end = <usize>load<u32>(spans + ((<usize>record) << 3), 4);
    if (byteAt(start) !== OPEN_BRACE || wantedObject(keys, start) !== end) continue;
    store<u32>(row, 1);
    slotsBefore = slots;
  }
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
  const slot = slots + ((<usize>load<u8>(entry, 2)) << 3);
  // If a key is repeated, `JSON.parse` uses its last value. Such records are rare, so the caller parses them in full.
  if (load<u32>(slot, 4) !== 0) return 0;
  const holds = <u32>load<u8>(entry, 1);
  if (holds === LEAF) return wantedLeaf(slot, at);
  store<u32>(slot, SEEN, 4);
  if (load<u32>(at) === NULL) return at + 4;
  const below = keys + load<u32>(entry, 4);
  if (holds !== OBJECT) return wantedFirst(below, slot, at);
  return byteAt(at) === OPEN_BRACE ? wantedObject(below, at) : 0;
}

/**
 * Reads the fields listed in `entries` from an array's first element, which must be an object. Stores the element count
 * in the slot.
 */
function wantedFirst(entries: usize, slot: usize, start: usize): usize {
  if (byteAt(start) !== OPEN_BRACKET) return 0;
  let at = skipSpace(start + 1);
  if (byteAt(at) === CLOSE_BRACKET) return at + 1;
  if (byteAt(at) !== OPEN_BRACE) return 0;
  at = wantedObject(entries, at);
  for (let elements: u32 = 1; at !== 0; elements++) {
    at = skipSpace(at);
    if (byteAt(at) === CLOSE_BRACKET) {
      store<u32>(slot, elements);
      return at + 1;
    }
    if (byteAt(at) !== COMMA) return 0;
    at = skipValue(skipSpace(at + 1));
  }
  return 0;
}

function wantedLeaf(slot: usize, start: usize): usize {
  let at = start;
  let end: usize = 0;
  let valueType = OTHER;
  if (byteAt(at) === QUOTE) {
    end = closingQuote(++at);
    valueType = escaped ? ESCAPED_TEXT : TEXT;
  } else {
    end = skipScalar(at);
  }
  if (end === 0) return 0;
  const packed = ((<u32>(end - at)) << 2) | valueType;
  store<u32>(slot, placeOf(slot, at, packed));
  store<u32>(slot, packed, 4);
  return valueType === OTHER ? end : end + 1;
}

/**
 * Returns the address of the field's value in the previous record if the values are equal. Most values in a file
 * repeat.
 */
function placeOf(slot: usize, at: usize, packed: u32): u32 {
  if (slotsBefore === 0) return <u32>at;
  const before = slotsBefore + (slot - slots);
  if (load<u32>(before, 4) !== packed) return <u32>at;
  const place = <usize>load<u32>(before);
  const length = packed >> 2;
  for (let from: u32 = 0; from < length; from += 16) {
    const differences = ~i8x16.bitmask(i8x16.eq(v128.load(at + from), v128.load(place + from)));
    if (<u32>ctz(differences) < min<u32>(length - from, 16)) return <u32>at;
  }
  return <u32>place;
}
