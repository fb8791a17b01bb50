/**
 * Finds wanted fields in JSON records (RFC 8259) without building the rest, and checks the syntax of all of it.
 * AssemblyScript: `npm run build:wasm` compiles it to `src/field-reader/scan-fields.wasm`; `field-reader.ts` is
 * its other side. What it cannot tell for sure it calls unread, and the record is parsed in full.
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

/** Records in one call. */
export const MAX_RECORDS: u32 = 256;
/** Bytes of text in one call, from the first record's start to the last one's end. */
export const MAX_TEXT: u32 = 1 << 20;
/** Wanted fields, containers counted too. */
export const MAX_SLOTS: u32 = 63;
/** What may be read behind the text; zeros stand there, which end every token. */
export const PADDING: u32 = 32;
/** A wanted key is compared in one step of 16 bytes. */
export const MAX_KEY: u32 = 16;

/** Bytes of a key entry: u8 length of the key, u8 what it holds, u8 slot, u8 0, u32 place of the entries below it, 8 × 0, the key. */
const ENTRY: usize = 32;
const ENTRY_KEY: usize = 16;
const LEAF: u32 = 0;
const OBJECT: u32 = 1;

/** The entries of the wanted keys, first those of the record; an entry whose key is empty ends a list. */
export const keys: usize = memory.data(4096);
/** For each record the places of its first byte and of the byte behind it, as two u32. */
export const spans: usize = memory.data(256 * 8);
/** For each record one row of `MAX_SLOTS + 1` pairs of u32. The first pair says whether the record was read, then come its slots. */
export const rows: usize = memory.data(256 * 64 * 8);
export const text: usize = memory.data(1048576 + 32);
const ROW: usize = 64 * 8;

/**
 * A slot: the place of a value, and its length * 4 + kind; 0 is a field that the record does not have. Of values that are
 * the same in one record after the other, each has the place of the first.
 */
const TEXT: u32 = 1;
const ESCAPED_TEXT: u32 = 2;
/** A number, true, false or null. */
const OTHER: u32 = 3;
/** How a container that was seen is marked; of an array its first word is the number of elements. */
const SEEN: u32 = 1;

/** The slots of the record that is read, and of the last one that was. */
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
 * Reads an object of which `entries` are wanted. This and all that follow take the place of a value's first byte
 * and return the place behind its last one; 0 where it is no JSON, or nothing for us.
 */
function wantedObject(entries: usize, start: usize): usize {
  let at = skipSpace(start + 1);
  if (byteAt(at) === CLOSE_BRACE) return at + 1;
  while (true) {
    if (byteAt(at) !== QUOTE) return 0;
    const key = at + 1;
    const keyEnd = closingQuote(key);
    // An escaped key may be a wanted one.
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
  // Of a key that stands there twice the last counts: too rare to be worth more than a full parse.
  if (load<u32>(slot, 4) !== 0) return 0;
  const holds = <u32>load<u8>(entry, 1);
  if (holds === LEAF) return wantedLeaf(slot, at);
  store<u32>(slot, SEEN, 4);
  if (load<u32>(at) === NULL) return at + 4;
  const below = keys + load<u32>(entry, 4);
  if (holds !== OBJECT) return wantedFirst(below, slot, at);
  return byteAt(at) === OPEN_BRACE ? wantedObject(below, at) : 0;
}

/** An array of whose first element, an object, `entries` are wanted; the slot gets the number of its elements. */
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
  let kind = OTHER;
  if (byteAt(at) === QUOTE) {
    end = closingQuote(++at);
    kind = escaped ? ESCAPED_TEXT : TEXT;
  } else {
    end = skipScalar(at);
  }
  if (end === 0) return 0;
  const packed = ((<u32>(end - at)) << 2) | kind;
  store<u32>(slot, placeOf(slot, at, packed));
  store<u32>(slot, packed, 4);
  return kind === OTHER ? end : end + 1;
}

/** The place of the value in the record before where it is the same; most values of a file repeat. */
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
