/**
 * Walks through a JSON object or array up to its closing bracket, across any number of pieces of text. Written in
 * AssemblyScript; `npm run build:wasm` compiles this file to `src/splitter/walk-container.wasm`, which
 * `container-walker.ts` loads.
 */

/** Maximum size of a piece, in bytes. */
export const MAX_TEXT: u32 = 1 << 19;
/** Maximum nesting depth at which brackets can be checked. */
export const MAX_DEPTH: u32 = 1024;

export const text: usize = memory.data(524288 + 32);
/** The closing bracket of each open level, from level 1 on. */
export const closers: usize = memory.data(1024 + 1);
/** Six u32 values, which `container-walker.ts` describes. */
export const state: usize = memory.data(24);

/** The current level. Levels beyond the limit are only counted. */
const DEPTH: usize = 0;
const KEYS: usize = 4;
const TOO_DEEP: usize = 8;
/** Whether the previous piece ended inside a string, and whether it ended with a backslash. */
const IN_STRING: usize = 12;
const ESCAPED: usize = 16;
const LIMIT: usize = 20;

/** Why the walk ended. Stored in the two lowest bits of the result of `walk`. */
const PIECE_OVER: u32 = 0;
const CLOSED: u32 = 1;
const WRONG_BRACKET: u32 = 2;

const QUOTE: u32 = 0x22;
const COLON: u32 = 0x3a;
const OPEN_BRACE: u32 = 0x7b;

/**
 * Walks the text between two indexes. Returns an index times 4, plus the reason why the walk ended. The index is after
 * the closing bracket, at a mismatched bracket, or at the end of the piece.
 */
export function walk(from: u32, to: u32): u32 {
  const end = text + <usize>to;
  let at = text + <usize>from;
  if (load<u32>(state, IN_STRING) !== 0) {
    at += load<u32>(state, ESCAPED);
    store<u32>(state, 0, IN_STRING);
    store<u32>(state, 0, ESCAPED);
    at = skipString(at, end);
    if (at === 0) return (to << 2) | PIECE_OVER;
  }
  const limit = load<u32>(state, LIMIT);
  let depth = load<u32>(state, DEPTH);
  let keys = load<u32>(state, KEYS);
  while (true) {
    const bytes = v128.load(at);
    // '[' and ']' differ from '{' and '}' in one bit. No other byte has the same remaining bits.
    const brackets = v128.or(bytes, i8x16.splat(0x20));
    const found = i8x16.bitmask(
      v128.or(
        v128.or(i8x16.eq(brackets, i8x16.splat(0x7b)), i8x16.eq(brackets, i8x16.splat(0x7d))),
        v128.or(i8x16.eq(bytes, i8x16.splat(0x22)), i8x16.eq(bytes, i8x16.splat(0x3a))),
      ),
    );
    if (found === 0) {
      at += 16;
      if (at < end) continue;
      break;
    }
    at += ctz(found);
    if (at >= end) break;
    const byte = <u32>load<u8>(at);
    if (byte === QUOTE) {
      at = skipString(at + 1, end);
      if (at === 0) break;
      // Checks for a colon immediately, because most strings are keys.
      if (at < end && <u32>load<u8>(at) === COLON) {
        keys++;
        at++;
      }
    } else if (byte === COLON) {
      keys++;
      at++;
    } else if ((byte | 0x20) === OPEN_BRACE) {
      depth++;
      at++;
      // The character code of a closing bracket is that of its opening bracket plus 2.
      if (depth <= limit) store<u8>(closers + depth, byte + 2);
      else store<u32>(state, 1, TOO_DEEP);
    } else {
      if (depth <= limit && <u32>load<u8>(closers + depth) !== byte) {
        store<u32>(state, depth, DEPTH);
        return ((<u32>(at - text)) << 2) | WRONG_BRACKET;
      }
      depth--;
      at++;
      if (depth === 0) {
        store<u32>(state, keys, KEYS);
        return ((<u32>(at - text)) << 2) | CLOSED;
      }
    }
    if (at >= end) break;
  }
  store<u32>(state, depth, DEPTH);
  store<u32>(state, keys, KEYS);
  return (to << 2) | PIECE_OVER;
}

/**
 * Skips the rest of a string, from `start` on. Returns the address after the closing quote, or 0 if the piece ends
 * inside the string.
 */
function skipString(start: usize, end: usize): usize {
  let at = start;
  while (at < end) {
    const bytes = v128.load(at);
    const found = i8x16.bitmask(
      v128.or(i8x16.eq(bytes, i8x16.splat(0x22)), i8x16.eq(bytes, i8x16.splat(0x5c))),
    );
    if (found === 0) {
      at += 16;
      continue;
    }
    at += ctz(found);
    if (at >= end) break;
    if (<u32>load<u8>(at) === QUOTE) return at + 1;
    if (at + 1 === end) {
      store<u32>(state, 1, ESCAPED);
      break;
    }
    // Skips the backslash and the escaped byte.
    at += 2;
  }
  store<u32>(state, 1, IN_STRING);
  return 0;
}
