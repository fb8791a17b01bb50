import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectTo, emulate } from './support/connect-to.ts';
import { readValue } from './support/read-value.ts';
import { serve } from './support/serve.ts';

for (const form of ['privateKeyPem', 'privateKeyPkcs1', 'privateKeyJwk'] as const)
  test(`signs in with the key given as ${form}`, async (context) => {
    const emulator = await emulate(context);
    const key = emulator[form];
    const directory = await connectTo(emulator, {
      env: { DIRECTORY_PRIVATE_KEY: typeof key === 'string' ? key : JSON.stringify(key) },
    });
    assert.equal(directory.clientId, emulator.clientId);
    assert.equal(directory.grantedScopes?.length, 10);
  });

test('uses a single token for an entire scan', async (context) => {
  const emulator = await emulate(context);
  const directory = await connectTo(emulator);
  await directory.read(['sessionPolicies', 'brands', 'zones', 'apiTokens', 'apps']);
  assert.equal(emulator.tokenRequests.length, 1);
  assert.equal(directory.requests.token, 1);
  assert.equal(directory.requests.api, emulator.requests.length);
});

test('renews a token once for all waiting requests before it expires', async (context) => {
  const emulator = await emulate(context, { tokenLifetimeSeconds: 2 });
  const directory = await connectTo(emulator);
  for (const keys of [
    ['zones', 'brands'],
    ['logStreams', 'identityProviders'],
    ['authenticators', 'apps'],
  ] as const) {
    await sleep(1_600);
    const snapshot = await directory.read(keys);
    for (const key of keys) readValue<unknown>(snapshot[key]);
  }
  assert.equal(emulator.tokenRequests.length, 4);
  assert.ok(
    emulator.requests.every(({ status }) => status !== 401),
    'a request used an expired token',
  );
});

test('requests only one new token if a token is rejected before it expires', async (context) => {
  const emulator = await emulate(context);
  const directory = await connectTo(emulator);
  emulator.faults.push({ path: '/api/v1/zones', response: 401, times: 1 });
  readValue((await directory.read(['zones'])).zones);
  assert.equal(emulator.tokenRequests.length, 2);
});

test('sends a new DPoP proof with every request', async (context) => {
  const emulator = await emulate(context, { dpop: 'required' });
  const directory = await connectTo(emulator);
  emulator.faults.push({ path: '/api/v1/brands', response: 503, times: 1 });
  readValue((await directory.read(['brands', 'zones'])).brands);
  const proofs = emulator.requests.map(({ headers }) => headers.dpop);
  assert.equal(new Set(proofs).size, emulator.requests.length);
  assert.ok(emulator.requests.filter(({ status }) => status === 200).every(({ proof }) => proof === 'fresh'));
});

test('responds to nonce challenges from the token endpoint and the management API', async (context) => {
  const emulator = await emulate(context, { dpop: 'required', requireNonce: true });
  const directory = await connectTo(emulator);
  readValue((await directory.read(['zones'])).zones);
  assert.deepEqual(
    emulator.tokenRequests.map(({ error }) => error),
    ['use_dpop_nonce', null],
  );
  assert.equal(emulator.requests.filter(({ status }) => status === 401).length, 1);
  assert.equal(directory.requests.retries, 0, 'a nonce challenge was counted as a retry');
});

test('uses a Bearer token when the directory issues one', async (context) => {
  const emulator = await emulate(context, { dpop: 'off' });
  const directory = await connectTo(emulator);
  readValue((await directory.read(['zones'])).zones);
  assert.ok(emulator.requests.every(({ headers }) => headers.authorization?.startsWith('Bearer ')));
  assert.ok(emulator.requests.every(({ headers }) => headers.dpop === undefined));
});

test("signs DPoP proofs with a different key than the service app's key", async (context) => {
  const emulator = await emulate(context);
  await connectTo(emulator);
  const proof = emulator.requests[0]?.headers.dpop;
  assert.ok(typeof proof === 'string');
  const header = Buffer.from(proof.split('.')[0] ?? '', 'base64url').toString();
  assert.ok(!header.includes(String(emulator.publicKeyJwk.n)));
  assert.doesNotMatch(header, /"d":/);
});

test('identifies the key, the endpoint and the client in the client assertion', async (context) => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const forms: URLSearchParams[] = [];
  const origin = await serve(context, (request, response) => {
    request.setEncoding('utf8').once('data', (body: string) => {
      forms.push(new URLSearchParams(body));
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_request"}');
    });
  });
  const emulator = await emulate(context);
  await assert.rejects(
    connectTo(emulator, {
      env: {
        DIRECTORY_ORG_URL: origin,
        DIRECTORY_PRIVATE_KEY: JSON.stringify({ ...privateKey.export({ format: 'jwk' }), kid: 'key-1' }),
      },
    }),
  );
  const form = forms[0];
  assert.equal(form?.get('grant_type'), 'client_credentials');
  assert.match(form?.get('scope') ?? '', /^directory\.policies\.read directory\.brands\.read /);
  const [header = '', claims = ''] = (form?.get('client_assertion') ?? '')
    .split('.')
    .slice(0, 2)
    .map((piece) => Buffer.from(piece, 'base64url').toString());
  assert.deepEqual(JSON.parse(header), { alg: 'RS256', kid: 'key-1' });
  const { aud, iss, sub, iat, exp, jti } = JSON.parse(claims);
  assert.equal(aud, `${origin}/oauth2/v1/token`);
  assert.deepEqual([iss, sub], [emulator.clientId, emulator.clientId]);
  assert.ok(exp - iat <= 3600 && exp > iat && typeof jti === 'string');
});
