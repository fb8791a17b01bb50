import {
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto';
import { promisify } from 'node:util';

/** The key of the service app in the formats that scanners accept. */
export interface ClientKey {
  /** PEM, PKCS#8. */
  readonly privateKeyPem: string;
  /** PEM, PKCS#1. */
  readonly privateKeyPkcs1: string;
  readonly privateKeyJwk: JsonWebKey;
  /** The public key that the service app registered with the authorization server. */
  readonly publicKeyJwk: JsonWebKey;
}

/**
 * Converts a PEM private key, or generates a new key if none is given. Throws a TypeError if the key is not an RSA key.
 */
export async function createClientKey(pem: string | undefined): Promise<ClientKey> {
  const key = pem === undefined ? await generateRsaKey() : createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'rsa')
    throw new TypeError(`clientKey must be an RSA key, not ${key.asymmetricKeyType}`);
  return {
    privateKeyPem: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    privateKeyPkcs1: key.export({ type: 'pkcs1', format: 'pem' }).toString(),
    privateKeyJwk: key.export({ format: 'jwk' }),
    publicKeyJwk: createPublicKey(key).export({ format: 'jwk' }),
  };
}

async function generateRsaKey(): Promise<KeyObject> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  return privateKey;
}
