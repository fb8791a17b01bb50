import { hash } from 'node:crypto';

/**
 * An id that is always the same for the same thing: a UUID version 8 (RFC 9562, section 5.8) of the SHA-256 of what
 * the thing is known by. The parts must not hold U+0000.
 */
export function derivedId(...parts: readonly string[]): string {
  const hex = Buffer.from(derivedIdBytes(parts.join('\0')), 'latin1').toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/**
 * The 16 bytes of the id of what is known by these parts, joined with U+0000: as a text with a character for each byte
 * (`latin1`), which sorts as the id does in PostgreSQL and is half of the work.
 */
export function derivedIdBytes(parts: string): string {
  const digest = hash('sha256', parts, 'binary');
  const version = String.fromCharCode(0x80 | (digest.charCodeAt(6) & 0x0f));
  const variant = String.fromCharCode(0x80 | (digest.charCodeAt(8) & 0x3f));
  return digest.slice(0, 6) + version + digest.charAt(7) + variant + digest.slice(9, 16);
}
