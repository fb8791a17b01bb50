/**
 * Extracts requested fields from JSON records (RFC 8259) without parsing the other values, finds missing attributes, and
 * checks the syntax of each whole record. Records that this module does not support are marked as unread, and the caller
 * parses them in full.
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
import { areEqual, findKey } from './object-keys';

export { addKey, ENTRIES, ENTRY, MAX_KEY, MAX_KEYS } from './object-keys';

/** Maximum records per call. */
export const MAX_RECORDS: u32 = 256;
/** Maximum bytes of text per call, from the start of the first record to the end of the last. */
export const MAX_TEXT: u32 = 1 << 20;
/** Number of slots of a record: first its fields, then its missing attributes, then its texts. */
export const SLOTS: u32 = 64;
export const MISSING_SLOT: u32 = 31;
export const FIRST_TEXT_SLOT: u32 = 32;
/** Number of slots of an element of the record's list. */
export const ELEMENT_SLOTS: u32 = 16;
/** Maximum number of list elements that are read. Further elements are only counted. */
export const MAX_ELEMENTS: u32 = 100;
/** Number of zero bytes after the text, which may be read and which end any token. */
export const PADDING: u32 = 32;
/** Objects at this depth below the record are not searched for missing attributes of the objects in them. */
export const MAX_TRACKED_DEPTH: u32 = 5;

const NONE: u32 = 0;
const LEAF: u32 = 1;
const OBJECT: u32 = 2;
const LIST: u32 = 3;

export const KEYS_BYTES: u32 = 65536;
/** The descriptions of objects, starting with that of the record. */
export const keys: usize = memory.data(65536);
/** For each record, the address of its first byte and the address after its last byte, as two u32. */
export const spans: usize = memory.data(256 * 8);
export const text: usize = memory.data(1048576 + 32);
/**
 * The extracted fields of all records. A record consists of its element count plus 1 (0 if it is unread), its fields,
 * and the fields of its elements. Every number is in LEB128.
 */
export const fields: usize = memory.data(2097152 + 524288);
/** The extracted texts of all records. */
export const texts: usize = memory.data(1048576 + 65536);
/** For each record, the end of its texts and their hash, as two u32. */
export const rows: usize = memory.data(256 * 8);

/** Maximum length of the encoded missing attributes of a record. */
const MAX_MISSING: usize = 1024;
/**
 * The missing attributes of all records. In an object, each is the character of its number. Nested objects are braces
 * around those of the object or of all elements of the array, after the number of the attribute. Objects that lack
 * nothing are omitted.
 */
const missing: usize = memory.data(256 * 2048);
const FIRST_NUMBER: u32 = 0x30;

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
/** The slots of the current record, followed by those of its elements and of an element that is not read. */
const slots: usize = memory.data(64 * 8 + 101 * 16 * 8);
/** The last value of each slot in this call. */
const lastValues: usize = memory.data(64 * 8 + 100 * 16 * 8);

/** The slots of the object that is being read: the record or an element. */
let row: usize = slots;
let elements: u32 = 0;
let output: usize = fields;
let missingEnd: usize = missing;
/** Where the missing attributes of the current record become too long. */
let missingLimit: usize = 0;
/** Depth of the current object below the record. */
let depth: u32 = 0;

/**
 * Reads the records of `spans`, with the given number of fields and texts of a record and fields of an element. Returns
 * the length of `fields`.
 */
export function scan(records: u32, fieldCount: u32, textCount: u32, elementFieldCount: u32): u32 {
  memory.fill(lastValues, 0, ALL_ROWS);
  output = fields;
  missingEnd = missing;
  let textOutput = texts;
  for (let record: u32 = 0; record < records; record++) {
    const start = <usize>load<u32>(spans + ((<usize>record) << 3));
    const end = <usize>load<u32>(spans + ((<usize>record) << 3), 4);
    const place = rows + ((<usize>record) << 3);
    memory.fill(slots, 0, ROW);
    row = slots;
    elements = 0;
    depth = 0;
    const missingStart = missingEnd;
    missingLimit = missingStart + MAX_MISSING;
    const textStart = textOutput;
    if (byteAt(start) === OPEN_BRACE && readObject(keys, start) === end) {
      if (missingEnd > missingStart) {
        store<u32>(slots + <usize>MISSING_SLOT * SLOT, <u32>missingStart);
        store<u32>(slots + <usize>MISSING_SLOT * SLOT, ((<u32>(missingEnd - missingStart)) << 2) | TEXT, 4);
      }
      writeNumber(elements + 1);
      writeFields(0, fieldCount);
      writeFields(<usize>MISSING_SLOT * SLOT, 1);
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
 * Reads an object as described. This and the following functions take the address of a value and return the address
 * after it, or 0 if the value is not valid JSON or not supported.
 */
function readObject(object: usize, start: usize): usize {
  let seen: u64 = 0;
  let present: u64 = 0;
  let at = skipSpace(start + 1);
  if (byteAt(at) !== CLOSE_BRACE) {
    while (true) {
      if (byteAt(at) !== QUOTE) return 0;
      const key = at + 1;
      const keyEnd = closingQuote(key);
      // An escaped key may be equal to a described key.
      if (keyEnd === 0 || escaped) return 0;
      at = skipSpace(keyEnd + 1);
      if (byteAt(at) !== COLON) return 0;
      at = skipSpace(at + 1);
      const entry = findKey(object, key, <u32>(keyEnd - key));
      if (entry === 0) at = skipValue(at);
      else {
        const bit = (<u64>1) << (<u64>load<u8>(entry, 3));
        // If a key is repeated, `JSON.parse` uses its last value. Such records are rare, so the caller parses them in full.
        if ((seen & bit) !== 0) return 0;
        seen |= bit;
        if (load<u32>(at) !== NULL) present |= bit;
        at = readValue(entry, at);
      }
      if (at === 0) return 0;
      at = skipSpace(at);
      if (byteAt(at) === CLOSE_BRACE) break;
      if (byteAt(at) !== COMMA) return 0;
      at = skipSpace(at + 1);
    }
  }
  let absent = load<u32>(object) & ~(<u32>present);
  for (; absent !== 0; absent &= absent - 1) store<u8>(missingEnd++, FIRST_NUMBER + ctz(absent));
  return missingEnd > missingLimit ? 0 : at + 1;
}

function readValue(entry: usize, at: usize): usize {
  const field = <u32>load<u8>(entry, 1);
  if (field === LEAF) return readLeaf(row + <usize>load<u8>(entry, 2) * SLOT, at);
  const tracked = <u32>load<u8>(entry, 4);
  const first = byteAt(at);
  const isRead =
    first === OPEN_BRACE
      ? field === OBJECT || tracked === OBJECT
      : first === OPEN_BRACKET && (field === LIST || tracked === LIST);
  // A tracked value of another type is not searched, but a field of another type may still be readable by the caller.
  if (!isRead) return field === NONE || load<u32>(at) === NULL ? skipValue(at) : 0;
  if (field === NONE && depth === MAX_TRACKED_DEPTH) return skipValue(at);
  const missingStart = missingEnd;
  store<u8>(missingEnd, OPEN_BRACE);
  store<u8>(missingEnd, FIRST_NUMBER + <u32>load<u8>(entry, 3), 1);
  missingEnd += 2;
  depth++;
  const below = keys + <usize>load<u32>(entry, 8);
  const end = first === OPEN_BRACE ? readObject(below, at) : readElements(below, field === LIST, at);
  depth--;
  if (missingEnd === missingStart + 2) missingEnd = missingStart;
  else store<u8>(missingEnd++, CLOSE_BRACE);
  return end;
}

/** Reads an array of objects. Elements of another type are skipped, unless the array is the record's list. */
function readElements(object: usize, isList: bool, start: usize): usize {
  let at = skipSpace(start + 1);
  if (byteAt(at) === CLOSE_BRACKET) return at + 1;
  let last = missingEnd;
  let lastLength: usize = 0;
  while (true) {
    if (isList) {
      row = slots + ROW + <usize>min(elements, MAX_ELEMENTS) * ELEMENT_ROW;
      elements++;
    }
    if (byteAt(at) === OPEN_BRACE) {
      if (isList) memory.fill(row, 0, ELEMENT_ROW);
      const elementStart = missingEnd;
      at = readObject(object, at);
      const length = missingEnd - elementStart;
      if (length === lastLength && areEqual(elementStart, last, <u32>length)) missingEnd = elementStart;
      else if (length > 0) {
        last = elementStart;
        lastLength = length;
      }
    } else if (isList && elements <= MAX_ELEMENTS) return 0;
    else at = skipValue(at);
    if (at === 0) return 0;
    at = skipSpace(at);
    if (byteAt(at) === CLOSE_BRACKET) {
      if (isList) row = slots;
      return at + 1;
    }
    if (byteAt(at) !== COMMA) return 0;
    at = skipSpace(at + 1);
  }
}

function readLeaf(slot: usize, start: usize): usize {
  const isText = byteAt(start) === QUOTE;
  const end = skipValue(start);
  if (end === 0) return 0;
  const at = isText ? start + 1 : start;
  const length = <u32>(end - start) - (isText ? 2 : 0);
  store<u32>(slot, <u32>at);
  store<u32>(slot, (length << 2) | (isText ? (escaped ? ESCAPED_TEXT : TEXT) : OTHER), 4);
  return end;
}
