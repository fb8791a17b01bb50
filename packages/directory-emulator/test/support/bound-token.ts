import { createHash, randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, importPKCS8, type JWTPayload, SignJWT } from 'jose';
import type { Emulator } from '../../src/index.ts';
import { ALL_SCOPES } from './scanner-client.ts';

/** Creates a DPoP key. Returns a function that signs proofs with any claims, including invalid claims. */
export async function proofKey() {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const jwk = await exportJWK(publicKey);
  return (claims: JWTPayload): Promise<string> =>
    new SignJWT({ jti: randomUUID(), ...claims })
      .setIssuedAt(claims.iat)
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk })
      .sign(privateKey);
}

export async function clientAssertion(emulator: Emulator, claims: JWTPayload = {}): Promise<string> {
  return new SignJWT({ jti: randomUUID(), ...claims })
    .setProtectedHeader({ alg: 'RS256' })
    .setIssuer(emulator.clientId)
    .setSubject(emulator.clientId)
    .setAudience(`${emulator.url}/oauth2/v1/token`)
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(await importPKCS8(emulator.privateKeyPem, 'RS256'));
}

export async function requestToken(emulator: Emulator, assertion: string, proof: string): Promise<Response> {
  return fetch(`${emulator.url}/oauth2/v1/token`, {
    method: 'POST',
    headers: { DPoP: proof },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      scope: ALL_SCOPES,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
    }),
  });
}

/** Requests a token that is bound to a new key, and returns functions to use it with valid and invalid proofs. */
export async function boundToken(emulator: Emulator) {
  const proof = await proofKey();
  const tokenProof = await proof({ htm: 'POST', htu: `${emulator.url}/oauth2/v1/token` });
  const response = await requestToken(emulator, await clientAssertion(emulator), tokenProof);
  const { access_token }: { access_token: string } = JSON.parse(await response.text());
  const ath = createHash('sha256').update(access_token).digest('base64url');
  return {
    accessToken: access_token,
    /** Signs a valid proof. Override claims to create an invalid proof. */
    proofFor: (path: string, claims: JWTPayload = {}) =>
      proof({ htm: 'GET', htu: new URL(path, emulator.url).href, ath, ...claims }),
    get: (path: string, jwt: string, scheme = 'DPoP') =>
      fetch(new URL(path, emulator.url), {
        headers: { Authorization: `${scheme} ${access_token}`, DPoP: jwt },
      }),
  };
}
