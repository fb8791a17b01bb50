import { type KeyObject, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '../api-error.ts';
import type { ProofOutcome } from '../request-log.ts';
import { type AccessToken, readAccessToken } from './access-token.ts';
import { type Proof, ProofError, verifyProof } from './dpop-proof.ts';

const ROTATION_INTERVAL_MS = 60_000;

export interface AuthenticatedRequest {
  readonly method: string;
  /** Absolute URL. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Authenticates requests to the management API: Bearer tokens (RFC 6750) and DPoP-bound tokens (RFC 9449 section 7).
 */
export class Authenticator {
  readonly #publicKey: KeyObject;
  readonly #url: string;
  readonly #nonces: DpopNonces | null;
  readonly #usedProofs = new Set<string>();

  constructor(publicKey: KeyObject, url: string, requireNonce: boolean) {
    this.#publicKey = publicKey;
    this.#url = url;
    this.#nonces = requireNonce ? new DpopNonces() : null;
  }

  /** Returns the headers to add to every response. They provide the next nonce before the current one expires. */
  headers(): Readonly<Record<string, string>> {
    return this.#nonces === null ? {} : { 'DPoP-Nonce': this.#nonces.current() };
  }

  /** Throws an {@link ApiError} with status 401. Calls `onProof` with the outcome of the DPoP proof in either case. */
  async authenticate(
    request: AuthenticatedRequest,
    onProof: (outcome: ProofOutcome) => void,
  ): Promise<AccessToken> {
    const [scheme = '', value = ''] = (request.headers.authorization ?? '').split(' ');
    const proof = request.headers.dpop;
    onProof(proof === undefined ? 'none' : 'rejected');
    const token = await readAccessToken(value, { publicKey: this.#publicKey, url: this.#url });
    if (token === null)
      throw invalidToken(scheme, 'invalid_token', 'The access token is invalid or expired.');
    if (token.boundTo === null) {
      if (scheme.toLowerCase() === 'bearer') return token;
      throw invalidToken('Bearer', 'invalid_token', 'The access token is of type Bearer.');
    }
    if (scheme.toLowerCase() !== 'dpop')
      throw invalidToken(
        'DPoP',
        'invalid_token',
        'The access token is DPoP-bound and requires the DPoP scheme.',
      );
    if (typeof proof !== 'string')
      throw invalidToken('DPoP', 'invalid_dpop_proof', 'The DPoP proof JWT header is missing.');
    const verified = await this.#verify(proof, { ...request, accessToken: value });
    if (verified.thumbprint !== token.boundTo)
      throw invalidToken(
        'DPoP',
        'invalid_dpop_proof',
        'The DPoP proof is not signed with the key of the access token.',
      );
    if (this.#nonces?.accepts(verified.nonce) === false)
      throw invalidToken('DPoP', 'use_dpop_nonce', 'The DPoP proof must contain the nonce from the server.');
    const proofId = `${verified.thumbprint} ${verified.jti}`;
    if (this.#usedProofs.has(proofId)) {
      onProof('replayed');
      throw invalidToken('DPoP', 'invalid_dpop_proof', 'The DPoP proof JWT has been used before.');
    }
    this.#usedProofs.add(proofId);
    onProof('fresh');
    return token;
  }

  async #verify(jwt: string, context: { method: string; url: string; accessToken: string }): Promise<Proof> {
    try {
      return await verifyProof(jwt, context);
    } catch (error) {
      if (!(error instanceof ProofError)) throw error;
      throw invalidToken('DPoP', 'invalid_dpop_proof', error.message);
    }
  }
}

function invalidToken(scheme: string, error: string, description: string): ApiError {
  const challenge = `${scheme.toLowerCase() === 'dpop' ? 'DPoP' : 'Bearer'} error="${error}", error_description="${description}"`;
  return new ApiError(401, 'E0000011', 'Invalid token provided', {
    causes: [description],
    headers: { 'WWW-Authenticate': challenge },
  });
}

/**
 * The nonces of the management API (RFC 9449 section 9). After a nonce is replaced, it remains valid until the next
 * replacement.
 */
class DpopNonces {
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
