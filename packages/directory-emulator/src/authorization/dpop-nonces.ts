import { randomBytes } from 'node:crypto';

const ROTATES_AFTER_MS = 60_000;

/** Nonces of the management API (RFC 9449 section 9): one at a time, and the one before stays good. */
export class DpopNonces {
  #current = newNonce();
  #previous = newNonce();
  #since = Date.now();

  current(): string {
    if (Date.now() - this.#since > ROTATES_AFTER_MS) {
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
