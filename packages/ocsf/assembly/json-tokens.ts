/**
 * Skips JSON tokens (RFC 8259) in a module's memory. Each function takes the address of a token and returns the address
 * after it, or 0 if the token is not valid JSON. The text must be followed by zero bytes, which end any token.
 */

/** Maximum nesting depth of a skipped value. */
const MAX_DEPTH: u32 = 512;

export const QUOTE: u32 = 0x22;
export const COMMA: u32 = 0x2c;
const MINUS: u32 = 0x2d;
export const COLON: u32 = 0x3a;
export const OPEN_BRACKET: u32 = 0x5b;
const BACKSLASH: u32 = 0x5c;
export const CLOSE_BRACKET: u32 = 0x5d;
export const OPEN_BRACE: u32 = 0x7b;
export const CLOSE_BRACE: u32 = 0x7d;
export const NULL: u32 = 0x6c6c756e;
const TRUE: u32 = 0x65757274;
const FALS: u32 = 0x736c6166;

/** The closing bracket of each open level of the skipped value. */
const closers: usize = memory.data(512);

/** Whether the last string contained escapes. */
export let escaped: bool = false;

export function byteAt(at: usize): u32 {
  return <u32>load<u8>(at);
}

function isDigit(byte: u32): bool {
  return byte - 0x30 < 10;
}

/** Skips a value of any type. Iterative, because recursion could overflow the stack on deeply nested records. */
export function skipValue(start: usize): usize {
  let at = start;
  let depth: u32 = 0;
  while (true) {
    const opener = byteAt(at);
    if (opener === OPEN_BRACE || opener === OPEN_BRACKET) {
      // The character code of a closing bracket is that of its opening bracket plus 2.
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

/** Skips a key and its colon. Returns the address of the value. */
function skipKey(start: usize): usize {
  if (byteAt(start) !== QUOTE) return 0;
  let at = closingQuote(start + 1);
  if (at === 0) return 0;
  at = skipSpace(at + 1);
  return byteAt(at) === COLON ? skipSpace(at + 1) : 0;
}

/**
 * Returns the address of the closing quote of a string. `start` is the address after its opening quote. Sets `escaped`.
 */
export function closingQuote(start: usize): usize {
  let at = start;
  escaped = false;
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

/** The byte at `start` is a backslash, or a control character, which JSON does not allow in a string. */
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

/** Skips a number, true, false or null. */
export function skipScalar(at: usize): usize {
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

/** One or more digits. */
function skipDigits(start: usize): usize {
  let at = start;
  while (isDigit(byteAt(at))) at++;
  return at > start ? at : 0;
}

/**
 * Finds the next byte that is not white space. Optimized for indentation, which makes up a third of a pretty-printed
 * file.
 */
export function skipSpace(at: usize): usize {
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
