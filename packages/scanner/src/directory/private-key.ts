import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type CryptoKey, importPKCS8 } from 'jose';
import { z } from 'zod';
import { parseJson } from '../http/response-text.ts';
import { errorCode, ScannerError } from '../lib/errors.ts';

/** The key that signs client assertions with RS256. */
export interface SigningKey {
  readonly key: CryptoKey;
  /** The key ID for assertions, if the key is a JWK that contains one. */
  readonly kid: string | undefined;
}

const EXPECTED_KEY = 'provide the RSA private key of the service app as PEM (PKCS#8 or PKCS#1) or JWK';
/** RFC 7518, section 3.3. */
const MIN_RSA_BITS = 2048;

const jwkSchema = z.looseObject({
  kty: z.string(),
  kid: z.string().min(1).optional().catch(undefined),
  d: z.string().optional(),
});

/**
 * Reads the private key of the service app; the key text takes precedence over the key file. Throws a ScannerError that
 * never contains any part of the key.
 */
export async function readPrivateKey({
  text,
  file,
}: {
  readonly text: string | undefined;
  readonly file: string | undefined;
}): Promise<SigningKey> {
  const source =
    text === undefined ? `the file ${file} (DIRECTORY_PRIVATE_KEY_FILE)` : 'DIRECTORY_PRIVATE_KEY';
  const content = (text ?? (file === undefined ? '' : await readKeyFile(file))).trim();
  if (content === '') throw new ScannerError('empty_key', `${capitalize(source)} is empty: ${EXPECTED_KEY}.`);
  // Environment files often contain the key on one line with escaped line breaks.
  const unescaped = content.includes('\n') ? content : content.replaceAll('\\r', '').replaceAll('\\n', '\n');
  const { key, kid } = unescaped.startsWith('{')
    ? readJwk(unescaped, source)
    : { key: readPem(unescaped, source), kid: undefined };
  refuseWrongType(key, source);
  return { key: await importPKCS8(key.export({ type: 'pkcs8', format: 'pem' }).toString(), 'RS256'), kid };
}

async function readKeyFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const reason = errorCode(error) ?? 'unknown error';
    throw new ScannerError(
      'unreadable_key_file',
      `The private key file ${file} cannot be read (${reason}): check the path in DIRECTORY_PRIVATE_KEY_FILE and its permissions.`,
      { cause: error },
    );
  }
}

function readJwk(text: string, source: string): { key: KeyObject; kid: string | undefined } {
  const jwk = jwkSchema.safeParse(parseJson(text));
  if (!jwk.success) throw invalidKey(source);
  const { kty, d, kid } = jwk.data;
  if (kty !== 'RSA') throw wrongType(source, `a JWK of type ${kty.slice(0, 10)}`);
  if (d === undefined) throw publicKey(source);
  try {
    return { key: createPrivateKey({ key: { ...jwk.data, d }, format: 'jwk' }), kid };
  } catch {
    throw invalidKey(source);
  }
}

function readPem(text: string, source: string): KeyObject {
  const label = /-----BEGIN ([A-Z0-9 ]+)-----/.exec(text)?.[1] ?? '';
  if (label === 'ENCRYPTED PRIVATE KEY' || /^Proc-Type:.*ENCRYPTED/m.test(text))
    throw new ScannerError(
      'encrypted_key',
      `${capitalize(source)} is protected by a passphrase, which is not supported: remove the passphrase (openssl pkey) and restrict the file permissions.`,
    );
  if (label.endsWith('PUBLIC KEY') || label === 'CERTIFICATE') throw publicKey(source);
  try {
    return createPrivateKey(text);
  } catch {
    // The parser error is omitted, because it could contain parts of the key.
    throw invalidKey(source);
  }
}

function refuseWrongType(key: KeyObject, source: string): void {
  if (key.asymmetricKeyType !== 'rsa') throw wrongType(source, `a key of type ${key.asymmetricKeyType}`);
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits < MIN_RSA_BITS) throw wrongType(source, `an RSA key of ${bits} bits`);
}

function invalidKey(source: string): ScannerError {
  return new ScannerError(
    'invalid_key',
    `${capitalize(source)} contains no readable private key: ${EXPECTED_KEY}.`,
  );
}

function wrongType(source: string, found: string): ScannerError {
  return new ScannerError(
    'wrong_key_type',
    `${capitalize(source)} contains ${found}, but only RSA keys of at least ${MIN_RSA_BITS} bits are supported: ${EXPECTED_KEY}.`,
  );
}

function publicKey(source: string): ScannerError {
  return new ScannerError('public_key', `${capitalize(source)} contains only a public key: ${EXPECTED_KEY}.`);
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
