import { createHash } from 'node:crypto';
import { calculateJwkThumbprint, EmbeddedJWK, errors, jwtVerify } from 'jose';

/** Allowed clock skew between client and server. */
const TOLERANCE_SECONDS = 300;

export interface ProofContext {
  readonly method: string;
  /** Absolute URL of the request, with or without its query. */
  readonly url: string;
  readonly accessToken: string;
}

export interface Proof {
  /** RFC 7638 thumbprint of the signing key. */
  readonly thumbprint: string;
  readonly jti: string;
  readonly nonce: unknown;
}

/** Thrown if a proof is not valid for the request. */
export class ProofError extends Error {}

/** Verifies a DPoP proof as RFC 9449 section 4.3 requires, except for its nonce and replays. */
export async function verifyProof(jwt: string, context: ProofContext): Promise<Proof> {
  const { payload, protectedHeader } = await verifySignature(jwt);
  const { jti, htm, htu, iat, ath, nonce } = payload;
  if (typeof jti !== 'string' || jti === '') throw new ProofError('The DPoP proof has no jti.');
  if (htm !== context.method)
    throw new ProofError('The htm claim of the DPoP proof does not match the request method.');
  if (typeof htu !== 'string' || withoutQuery(htu) !== withoutQuery(context.url))
    throw new ProofError('The htu claim of the DPoP proof does not match the request URL.');
  if (iat === undefined || Math.abs(Date.now() / 1000 - iat) > TOLERANCE_SECONDS)
    throw new ProofError('The iat claim of the DPoP proof is too old or in the future.');
  if (ath !== createHash('sha256').update(context.accessToken).digest('base64url'))
    throw new ProofError('The ath claim of the DPoP proof does not match the access token.');
  if (protectedHeader.jwk === undefined) throw new ProofError('The DPoP proof has no jwk.');
  return { thumbprint: await calculateJwkThumbprint(protectedHeader.jwk), jti, nonce };
}

async function verifySignature(jwt: string) {
  try {
    return await jwtVerify(jwt, EmbeddedJWK, { typ: 'dpop+jwt', algorithms: ['RS256', 'ES256'] });
  } catch (cause) {
    if (!(cause instanceof errors.JOSEError)) throw cause;
    throw new ProofError(`The DPoP proof JWT is invalid: ${cause.message}.`, { cause });
  }
}

function withoutQuery(url: string): string | undefined {
  const parsed = URL.parse(url);
  return parsed === null ? undefined : `${parsed.origin}${parsed.pathname}`;
}
