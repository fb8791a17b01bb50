/**
 * Finds wanted fields in JSON records (RFC 8259) without building the rest, and checks the syntax of all of it.
 * AssemblyScript: `npm run build:wasm` compiles it to `src/field-reader/scan-fields.wasm`; `field-reader.ts` is
 * its other side. What it cannot tell for sure it calls unread, and the record is parsed in full.
 */

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
/** Levels of nesting inside of what is skipped. */
const MAX_DEPTH: u32 = 512;

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

/** A slot: the place of a value, and its length * 8 + kind; 0 is a field that the record does not have. */
const TEXT: u32 = 1;
const ESCAPED_TEXT: u32 = 2;
/** A number, true, false or null. */
const OTHER: u32 = 3;
/** Added where the record read before has the same bytes in this slot. */
const SAME: u32 = 4;
/** How a container that was seen is marked. */
const SEEN: u32 = 1;

const QUOTE: u32 = 0x22;
const COMMA: u32 = 0x2c;
const MINUS: u32 = 0x2d;
const COLON: u32 = 0x3a;
const OPEN_BRACKET: u32 = 0x5b;
const BACKSLASH: u32 = 0x5c;
const CLOSE_BRACKET: u32 = 0x5d;
const OPEN_BRACE: u32 = 0x7b;
const CLOSE_BRACE: u32 = 0x7d;
const NULL: u32 = 0x6c6c756e;
const TRUE: u32 = 0x65757274;
const FALS: u32 = 0x736c6166;

/** Which bracket closes each open level of what is skipped. */
const closers: usize = memory.data(512);
/** The slots of the record that is read, and of the last one that was. */
let slots: usize = 0;
let slotsBefore: usize = 0;
/** Whether a string that was passed since this was last reset has escapes. */
let escaped: bool = false;

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

function byteAt(at: usize): u32 {
  return <u32>load<u8>(at);
}

function isDigit(byte: u32): bool {
  return byte - 0x30 < 10;
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
    escaped = false;
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
  if (holds !== OBJECT) return wantedFirst(below, at);
  return byteAt(at) === OPEN_BRACE ? wantedObject(below, at) : 0;
}

/** An array of whose first element, an object, `entries` are wanted. */
function wantedFirst(entries: usize, start: usize): usize {
  if (byteAt(start) !== OPEN_BRACKET) return 0;
  let at = skipSpace(start + 1);
  if (byteAt(at) === CLOSE_BRACKET) return at + 1;
  if (byteAt(at) !== OPEN_BRACE) return 0;
  at = wantedObject(entries, at);
  while (at !== 0) {
    at = skipSpace(at);
    if (byteAt(at) === CLOSE_BRACKET) return at + 1;
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
    escaped = false;
    end = closingQuote(++at);
    kind = escaped ? ESCAPED_TEXT : TEXT;
  } else {
    end = skipScalar(at);
  }
  if (end === 0) return 0;
  const packed = ((<u32>(end - at)) << 3) | kind;
  store<u32>(slot, <u32>at);
  store<u32>(slot, isSame(slot, at, packed) ? packed | SAME : packed, 4);
  return kind === OTHER ? end : end + 1;
}

/** Whether the record before has the same value in this slot; most values of a file repeat. */
function isSame(slot: usize, at: usize, packed: u32): bool {
  if (slotsBefore === 0) return false;
  const before = slotsBefore + (slot - slots);
  if ((load<u32>(before, 4) & ~SAME) !== packed) return false;
  const place = <usize>load<u32>(before);
  const length = packed >> 3;
  for (let from: u32 = 0; from < length; from += 16) {
    const differences = ~i8x16.bitmask(i8x16.eq(v128.load(at + from), v128.load(place + from)));
    if (<u32>ctz(differences) < min<u32>(length - from, 16)) return false;
  }
  return true;
}

/** Passes any value. Not recursive: a record may be nested deeper than the stack takes. */
function skipValue(start: usize): usize {
  let at = start;
  let depth: u32 = 0;
  while (true) {
    const opener = byteAt(at);
    if (opener === OPEN_BRACE || opener === OPEN_BRACKET) {
      // Each closing bracket is its opening one + 2.
      const closer = opener + 2;
      at = skipSpace(at + 1);
      if (byteAt(at) === closer) at++;
      else {
        if (depth === MAX_DEPTH) return 0;
        store<u8>(closers + depth++, closer);
        if (opener === OPEN_BRACE) at = skipKey(at);
        if (at === 0) return 0;
        continue;
      }
    } else if (opener === QUOTE) {
      at = closingQuote(at + 1);
      if (at === 0) return 0;
      at++;
    } else {
      at = skipScalar(at);
      if (at === 0) return 0;
    }
    while (true) {
      if (depth === 0) return at;
      const closer = <u32>load<u8>(closers + depth - 1);
      at = skipSpace(at);
      const byte = byteAt(at);
      if (byte === COMMA) {
        at = skipSpace(at + 1);
        if (closer === CLOSE_BRACE) at = skipKey(at);
        if (at === 0) return 0;
        break;
      }
      if (byte !== closer) return 0;
      at++;
      depth--;
    }
  }
}

/** Passes a key and its colon, up to the value. */
function skipKey(start: usize): usize {
  if (byteAt(start) !== QUOTE) return 0;
  let at = closingQuote(start + 1);
  if (at === 0) return 0;
  at = skipSpace(at + 1);
  return byteAt(at) === COLON ? skipSpace(at + 1) : 0;
}

/** The closing quote of the string whose text begins here. */
function closingQuote(start: usize): usize {
  let at = start;
  while (true) {
    const bytes = v128.load(at);
    const quotes = i8x16.eq(bytes, i8x16.splat(0x22));
    const escapes = i8x16.eq(bytes, i8x16.splat(0x5c));
    const controls = i8x16.lt_u(bytes, i8x16.splat(0x20));
    const ends = i8x16.bitmask(v128.or(v128.or(quotes, escapes), controls));
    if (ends !== 0) {
      at += ctz(ends);
      return byteAt(at) === QUOTE ? at : closingQuoteAfterEscape(at);
    }
    at += 16;
  }
}

/** `start` is a backslash or a control character, which JSON does not allow in a string. */
function closingQuoteAfterEscape(start: usize): usize {
  let at = start;
  escaped = true;
  while (true) {
    const byte = byteAt(at);
    if (byte === QUOTE) return at;
    if (byte < 0x20) return 0;
    if (byte === BACKSLASH) at = skipEscape(at);
    else at++;
    if (at === 0) return 0;
  }
}

function skipEscape(at: usize): usize {
  switch (byteAt(at + 1)) {
    case 0x22: // "
    case 0x2f: // /
    case 0x5c: // \
    case 0x62: // b
    case 0x66: // f
    case 0x6e: // n
    case 0x72: // r
    case 0x74: // t
      return at + 2;
    case 0x75: // u
      for (let digit: usize = 2; digit < 6; digit++) if (!isHexDigit(byteAt(at + digit))) return 0;
      return at + 6;
    default:
      return 0;
  }
}

function isHexDigit(byte: u32): bool {
  return isDigit(byte) || (byte | 0x20) - 0x61 < 6;
}

/** Passes a number, true, false or null. */
function skipScalar(at: usize): usize {
  const first = byteAt(at);
  if (first === MINUS || isDigit(first)) return skipNumber(at);
  const word = load<u32>(at);
  if (word === TRUE || word === NULL) return at + 4;
  return word === FALS && byteAt(at + 4) === 0x65 ? at + 5 : 0;
}

function skipNumber(start: usize): usize {
  let at = byteAt(start) === MINUS ? start + 1 : start;
  at = byteAt(at) === 0x30 ? at + 1 : skipDigits(at);
  if (at !== 0 && byteAt(at) === 0x2e) at = skipDigits(at + 1);
  if (at !== 0 && (byteAt(at) | 0x20) === 0x65) {
    const sign = byteAt(at + 1);
    at = skipDigits(sign === 0x2b || sign === MINUS ? at + 2 : at + 1);
  }
  return at;
}

/** One digit or more. */
function skipDigits(start: usize): usize {
  let at = start;
  while (isDigit(byteAt(at))) at++;
  return at > start ? at : 0;
}

/** The first byte from here on that is no white space. Indentation is a third of a pretty-printed file. */
function skipSpace(at: usize): usize {
  const byte = byteAt(at);
  if (byte > 0x20) return at;
  if (byte === 0x20 && byteAt(at + 1) > 0x20) return at + 1;
  const blanks = ctz(i8x16.bitmask(i8x16.ne(v128.load(at, 1), i8x16.splat(0x20))));
  if (byte === 0x0a && blanks < 16 && byteAt(at + 1 + blanks) > 0x20) return at + 1 + blanks;
  return skipLongSpace(at);
}

function skipLongSpace(start: usize): usize {
  let at = start;
  while (true) {
    const others = i8x16.bitmask(i8x16.ne(v128.load(at), i8x16.splat(0x20)));
    if (others === 0) {
      at += 16;
      continue;
    }
    at += ctz(others);
    const byte = byteAt(at);
    if (byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return at;
    at++;
  }
}
