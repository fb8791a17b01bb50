import type { KeyObject } from 'node:crypto';
import { errors, jwtVerify } from 'jose';

export interface AccessToken {
  readonly scopes: readonly string[];
  /** Thumbprint of the key that the token is bound to (RFC 9449 section 6); `null` for a Bearer token. */
  readonly boundTo: string | null;
}

/** Verifies an access token. Returns `null` if the token is expired or malformed, or if another issuer signed it. */
export async function readAccessToken(
  token: string,
  { publicKey, url }: { readonly publicKey: KeyObject; readonly url: string },
): Promise<AccessToken | null> {
  try {
    const { payload } = await jwtVerify(token, publicKey, {
      issuer: url,
      audience: url,
      typ: 'at+jwt',
      algorithms: ['ES256'],
      requiredClaims: ['exp', 'scp'],
    });
    return { scopes: stringsOf(payload.scp), boundTo: thumbprintOf(payload.cnf) };
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function thumbprintOf(confirmation: unknown): string | null {
  if (typeof confirmation !== 'object' || confirmation === null || !('jkt' in confirmation)) return null;
  return typeof confirmation.jkt === 'string' ? confirmation.jkt : null;
}
