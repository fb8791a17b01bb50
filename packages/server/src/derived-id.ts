import { hash } from 'node:crypto';

/**
 * Derives a deterministic id from the parts of a natural key: a UUID version 8 (RFC 9562, section 5.8) from their SHA-256. The
 * parts must not contain U+0000.
 */
export function derivedId(...parts: readonly string[]): string {
  const hex = Buffer.from(derivedIdBytes(parts.join('\0')), 'latin1').toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/**
 * Returns the 16 bytes of the derived id as a string with one character per byte (`latin1`). Such a string sorts like
 * the id in PostgreSQL and takes half the time to create. The parts must be joined with U+0000.
 */
export function derivedIdBytes(parts: string): string {
  const digest = hash('sha256', parts, 'binary');
  const version = String.fromCharCode(0x80 | (digest.charCodeAt(6) & 0x0f));
  const variant = String.fromCharCode(0x80 | (digest.charCodeAt(8) & 0x3f));
  return digest.slice(0, 6) + version + digest.charAt(7) + variant + digest.slice(9, 16);
}
