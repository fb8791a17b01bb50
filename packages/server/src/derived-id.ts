import { hash } from 'node:crypto';

/**
 * An id that is always the same for the same thing: a UUID version 8 (RFC 9562, section 5.8) of the SHA-256 of what
 * the thing is known by. The parts must not hold U+0000.
 */
export function derivedId(...parts: readonly string[]): string {
  const digest = hash('sha256', parts.join('\0'));
  const variant = '89ab'[Number.parseInt(digest.charAt(16), 16) & 3];
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}
