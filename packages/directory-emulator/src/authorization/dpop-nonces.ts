import { randomBytes } from 'node:crypto';

const ROTATION_INTERVAL_MS = 60_000;

/**
 * The nonces of the management API (RFC 9449 section 9). After a nonce is replaced, it remains valid until the next
 * replacement.
 */
export class DpopNonces {
  #current = newNonce();
  #previous = newNonce();
  #since = Date.now();

  current(): string {
    if (Date.now() - this.#since > ROTATION_INTERVAL_MS) {
      this.#previous = this.#current;
      this.#current = newNonce();
      this.#since = Date.now();
    }
    return this.#current;
  }

  accepts(nonce: unknown): boolean {
    return nonce === this.current() || nonce === this.#previous;
  }
}

function newNonce(): string {
  return randomBytes(16).toString('base64url');
}
