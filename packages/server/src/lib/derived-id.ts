import { hash } from 'node:crypto';

/** The bytes with the version and the variant of a UUID (RFC 9562, section 4). */
const VERSION = 6;
const VARIANT = 8;
/** Reused, because the parts of a text that is put together stay in memory with it. */
const bytes = Buffer.alloc(16);

/**
 * Derives a deterministic id from the parts of a natural key: a version 8 UUID (RFC 9562, section 5.8) based on their
 * SHA-256 hash. The parts must not contain U+0000.
 */
export function derivedId(...parts: readonly string[]): string {
  const hex = Buffer.from(derivedIdBytes(parts.join('\0')), 'latin1').toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/**
 * Returns the 16 bytes of the derived id as a string with one character per byte (`latin1`). Such strings sort in the
 * same order as the ids in PostgreSQL and take half the time to create. `parts` are the parts of the natural key,
 * joined with U+0000.
 */
export function derivedIdBytes(parts: string): string {
  // Writes only as many bytes as fit.
  bytes.write(hash('sha256', parts, 'binary'), 'latin1');
  bytes[VERSION] = 0x80 | ((bytes[VERSION] ?? 0) & 0x0f);
  bytes[VARIANT] = 0x80 | ((bytes[VARIANT] ?? 0) & 0x3f);
  return bytes.toString('latin1');
}
