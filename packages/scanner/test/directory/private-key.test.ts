import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { readPrivateKey } from '../../src/directory/private-key.ts';
import { scannerError } from './support/scanner-error.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const PKCS8 = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const PKCS1 = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
const JWK = { ...privateKey.export({ format: 'jwk' }), kid: 'key-1', alg: 'RS256', use: 'sig' };
const folder = await mkdtemp(path.join(tmpdir(), 'private-key-'));
after(() => rm(folder, { recursive: true }));

const fromText = (text: string) => readPrivateKey({ text, file: undefined });

for (const [description, text] of Object.entries({
  'PKCS#8 PEM': PKCS8,
  'PKCS#1 PEM': PKCS1,
  'PEM on one line with escaped line endings': PKCS8.trim().replaceAll('\n', '\\n'),
  'PEM with escaped Windows line endings': PKCS8.replaceAll('\n', '\\r\\n'),
  'PEM with Windows line endings': PKCS8.replaceAll('\n', '\r\n'),
  'PEM with surrounding white space': `\n  ${PKCS1}\n\n`,
  JWK: JSON.stringify(JWK),
  'multi-line JWK': JSON.stringify(JWK, null, 2),
}))
  test(`signs with RS256 using a key given as ${description}`, async () => {
    const { key } = await fromText(text);
    assert.deepEqual(key.usages, ['sign']);
    assert.equal(key.algorithm.name, 'RSASSA-PKCS1-v1_5');
  });

test('reads a key ID only from a JWK', async () => {
  assert.equal((await fromText(JSON.stringify(JWK))).kid, 'key-1');
  assert.equal((await fromText(PKCS8)).kid, undefined);
});

test('reads a key from a file, and prefers DIRECTORY_PRIVATE_KEY over the file', async () => {
  const file = path.join(folder, 'key.pem');
  await writeFile(file, JSON.stringify(JWK));
  assert.equal((await readPrivateKey({ text: undefined, file })).kid, 'key-1');
  assert.equal((await readPrivateKey({ text: PKCS8, file: '/does/not/exist' })).kid, undefined);
});

test('reports the reason why a key file cannot be read', async () => {
  const file = path.join(folder, 'missing.pem');
  const { message } = await scannerError(readPrivateKey({ text: undefined, file }), 'unreadable_key_file');
  assert.ok(message.includes(file));
  assert.match(message, /ENOENT/);
  await scannerError(readPrivateKey({ text: undefined, file: folder }), 'unreadable_key_file');
});

test('distinguishes an empty key from a missing key', async () => {
  const file = path.join(folder, 'empty.pem');
  await writeFile(file, '\n \n');
  assert.match((await scannerError(fromText(' \n'), 'empty_key')).message, /^DIRECTORY_PRIVATE_KEY is empty/);
  const { message } = await scannerError(readPrivateKey({ text: undefined, file }), 'empty_key');
  assert.ok(message.includes(file));
});

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const ed25519 = generateKeyPairSync('ed25519').privateKey;
const pss = generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).privateKey;
const small = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey;
const { d: _, ...publicJwk } = JWK;

const invalidKeys: readonly (readonly [description: string, code: string, text: string])[] = [
  ['an EC key', 'wrong_key_type', ec.export({ type: 'pkcs8', format: 'pem' }).toString()],
  ['a SEC 1 EC key', 'wrong_key_type', ec.export({ type: 'sec1', format: 'pem' }).toString()],
  ['an EC key in JWK format', 'wrong_key_type', JSON.stringify(ec.export({ format: 'jwk' }))],
  ['an Ed25519 key', 'wrong_key_type', ed25519.export({ type: 'pkcs8', format: 'pem' }).toString()],
  ['an RSA-PSS key', 'wrong_key_type', pss.export({ type: 'pkcs8', format: 'pem' }).toString()],
  ['a 1,024-bit RSA key', 'wrong_key_type', small.export({ type: 'pkcs8', format: 'pem' }).toString()],
  ['a public key', 'public_key', publicKey.export({ type: 'spki', format: 'pem' }).toString()],
  ['a PKCS#1 public key', 'public_key', publicKey.export({ type: 'pkcs1', format: 'pem' }).toString()],
  ['a public key in JWK format', 'public_key', JSON.stringify(publicKey.export({ format: 'jwk' }))],
  ['a JWK without the private members', 'public_key', JSON.stringify(publicJwk)],
  ['a certificate', 'public_key', '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----'],
  [
    'a key with a passphrase',
    'encrypted_key',
    privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' }).toString(),
  ],
  [
    'a PKCS#1 key with a passphrase',
    'encrypted_key',
    privateKey.export({ type: 'pkcs1', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' }).toString(),
  ],
  ['a truncated key', 'invalid_key', PKCS8.slice(0, 400)],
  ['text that is not a key', 'invalid_key', 'correct horse battery staple'],
  ['invalid JSON', 'invalid_key', JSON.stringify(JWK).slice(0, -10)],
  ['a JWK set', 'invalid_key', JSON.stringify({ keys: [JWK] })],
  ['a JWK with missing members', 'invalid_key', JSON.stringify({ kty: 'RSA', d: JWK.d })],
];

for (const [description, code, text] of invalidKeys)
  test(`rejects ${description} without printing any part of it`, async () => {
    const error = await scannerError(fromText(text), code);
    assert.equal(error.cause, undefined);
    for (const piece of text.match(/[A-Za-z0-9+/_-]{12,}/g) ?? [])
      assert.ok(!error.message.includes(piece) || /PRIVATE|CERTIFICATE|battery/.test(piece), error.message);
  });
