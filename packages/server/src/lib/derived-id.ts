import { hash } from 'node:crypto';

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
  const digest = hash('sha256', parts, 'binary');
  const version = String.fromCharCode(0x80 | (digest.charCodeAt(6) & 0x0f));
  const variant = String.fromCharCode(0x80 | (digest.charCodeAt(8) & 0x3f));
  return digest.slice(0, 6) + version + digest.charAt(7) + variant + digest.slice(9, 16);
}
