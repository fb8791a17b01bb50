/** Finds the keys of an object in a description of it, which the caller writes into the module's memory. */

import { byteAt } from './json-tokens';

/** Maximum length of a key. */
export const MAX_KEY: u32 = 32;
/** Maximum number of keys of an object. */
export const MAX_KEYS: u32 = 64;
/**
 * Layout of the description of an object: u32 bits of the attributes that are reported if they are missing, u32 0, the
 * hash table of its keys (for each bucket, the number of an entry plus 1), the entries.
 */
const BUCKETS: u32 = 128;
const TABLE: usize = 8;
export const ENTRIES: usize = 8 + 128;
/**
 * Layout of an entry: u8 key length, u8 type as a field, u8 slot, u8 number in the object, u8 type as a tracked
 * attribute, 3 zero bytes, u32 offset of the nested description, u32 0, the key.
 */
export const ENTRY: usize = 48;
const ENTRY_KEY: usize = 16;

/** Adds an entry, which must have been written, to the hash table of its object. */
export function addKey(object: usize, number: u32): void {
  const entry = object + ENTRIES + <usize>number * ENTRY;
  let bucket = bucketOf(entry + ENTRY_KEY, <u32>load<u8>(entry));
  while (load<u8>(object + TABLE + bucket) !== 0) bucket = (bucket + 1) & (BUCKETS - 1);
  store<u8>(object + TABLE + bucket, number + 1);
}

/** Returns the address of the entry, or 0 if the key is not described. */
export function findKey(object: usize, key: usize, length: u32): usize {
  let bucket = bucketOf(key, length);
  while (true) {
    const number = <usize>load<u8>(object + TABLE + bucket);
    if (number === 0) return 0;
    const entry = object + ENTRIES + (number - 1) * ENTRY;
    if (<u32>load<u8>(entry) === length && areEqual(key, entry + ENTRY_KEY, length)) return entry;
    bucket = (bucket + 1) & (BUCKETS - 1);
  }
}

function bucketOf(key: usize, length: u32): u32 {
  const middle = byteAt(key + (length >> 1));
  return (byteAt(key) + middle * 5 + byteAt(key + length - 1) * 11 + length * 3) & (BUCKETS - 1);
}

/** May read the 15 bytes after each end. */
export function areEqual(a: usize, b: usize, length: u32): bool {
  for (let from: u32 = 0; from < length; from += 16) {
    const differences = ~i8x16.bitmask(i8x16.eq(v128.load(a + from), v128.load(b + from)));
    if (<u32>ctz(differences) < min<u32>(length - from, 16)) return false;
  }
  return true;
}
