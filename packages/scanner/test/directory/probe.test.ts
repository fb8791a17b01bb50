import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { connectTo, emulate, paths } from './support/connect-to.ts';
import { scannerError } from './support/scanner-error.ts';

const OTHER_KEY = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();

test('probes the directory with a single request for one session policy', async (context) => {
  const emulator = await emulate(context);
  await connectTo(emulator);
  assert.deepEqual(paths(emulator), ['/api/v1/policies?type=DIRECTORY_SIGN_ON&limit=1']);
});

test('accepts a read-only administrator', async (context) => {
  await connectTo(await emulate(context, { role: 'read-only' }));
});

test('rejects a service app without an admin role after a single request', async (context) => {
  const emulator = await emulate(context, { role: 'none' });
  const { message } = await scannerError(connectTo(emulator), 'no_admin_role');
  assert.match(message, /403, E0000006/);
  assert.match(message, /Read-Only Administrator/);
  assert.equal(emulator.requests.length, 1);
});

test('mentions both the client ID and the key if the server does not report which one is invalid', async (context) => {
  const emulator = await emulate(context);
  for (const env of [{ DIRECTORY_CLIENT_ID: '0oaUnknown' }, { DIRECTORY_PRIVATE_KEY: OTHER_KEY }]) {
    const { message } = await scannerError(connectTo(emulator, { env }), 'invalid_client');
    assert.match(message, /DIRECTORY_CLIENT_ID/);
    assert.match(message, /public key/);
    assert.doesNotMatch(message, /PRIVATE KEY-/);
  }
  assert.equal(emulator.requests.length, 0);
});

for (const [description, code] of [
  ["Invalid value for 'client_id' parameter.", 'unknown_client'],
  ['Client not found: 0oa1', 'unknown_client'],
  ['The client_assertion signature is invalid.', 'key_not_accepted'],
  ['The client_assertion token is expired.', 'wrong_clock'],
] as const)
  test(`explains the server error: ${description}`, async (context) => {
    const body = { error: 'invalid_client', error_description: description };
    const emulator = await emulate(context, { faults: [{ path: '/oauth2/v1/token', response: 401, body }] });
    const { message } = await scannerError(connectTo(emulator), code);
    assert.ok(message.includes(description.replace(/\.$/, '')));
  });

test('reports the name of a scope that was not granted', async (context) => {
  const emulator = await emulate(context, { grantedScopes: ['directory.policies.read'] });
  const { message } = await scannerError(
    connectTo(emulator, { env: { DIRECTORY_SCOPES: 'directory.policies.read directory.brands.read' } }),
    'scope_not_granted',
  );
  assert.match(message, /directory\.brands\.read/);
  const none = connectTo(emulator, { env: { DIRECTORY_SCOPES: 'directory.brands.read' } });
  assert.match((await scannerError(none, 'scope_not_granted')).message, /consent_required/);
});

test('probes another endpoint if the scope for policies was not granted', async (context) => {
  const emulator = await emulate(context);
  await connectTo(emulator, {
    env: { DIRECTORY_SCOPES: 'directory.roles.read directory.networkZones.read' },
  });
  assert.deepEqual(paths(emulator), ['/api/v1/zones?limit=1']);
});

test('probes the next endpoint if the organization lacks a feature', async (context) => {
  const body = { errorCode: 'E0000015', errorSummary: 'You do not have permission to access the feature.' };
  const emulator = await emulate(context, {
    faults: [{ path: /^\/api\/v1\/(policies|brands)/, response: 401, body }],
  });
  const directory = await connectTo(emulator);
  const requested = paths(emulator).map((path) => path.replace(/\?.*/, ''));
  assert.deepEqual(requested, ['/api/v1/policies', '/api/v1/brands', '/api/v1/apps']);
  assert.equal(directory.requests.token, 1);
});

test('ends the scan if a later probe shows that the service app has no admin role', async (context) => {
  const body = { errorCode: 'E0000015', errorSummary: 'You do not have permission to access the feature.' };
  const emulator = await emulate(context, {
    role: 'none',
    faults: [{ path: /^\/api\/v1\/policies/, response: 401, body }],
  });
  await scannerError(connectTo(emulator), 'no_admin_role');
});

test('fails if no granted scope allows a probe', async (context) => {
  const emulator = await emulate(context);
  const env = { DIRECTORY_SCOPES: 'directory.roles.read' };
  await scannerError(connectTo(emulator, { env }), 'scope_not_granted');
});

for (const [fault, code] of [
  [{ path: '/oauth2/v1/token', response: 'html' }, 'not_a_directory'],
  [{ path: '/oauth2/v1/token', response: 404 }, 'not_a_directory'],
  [{ path: '/oauth2/v1/token', response: 'invalid-json' }, 'not_a_directory'],
  [{ path: '/oauth2/v1/token', response: 500 }, 'directory_unavailable'],
  [{ path: '/oauth2/v1/token', response: 429 }, 'rate_limited'],
  [
    {
      path: '/oauth2/v1/token',
      response: 400,
      body: { error: 'unauthorized_client', error_description: 'No.' },
    },
    'client_not_allowed',
  ],
  [{ path: '/oauth2/v1/token', response: 400, body: { error: 'invalid_dpop_proof' } }, 'dpop_refused'],
  [{ path: '/oauth2/v1/token', response: 400, body: { error: 'invalid_request' } }, 'token_refused'],
  [{ path: /policies/, response: 'html' }, 'not_a_directory'],
  [{ path: /policies/, response: 'invalid-json' }, 'not_a_directory'],
  [{ path: /policies/, response: 404 }, 'not_a_directory'],
  [
    { path: /policies/, response: 302, headers: { location: 'https://login.example.com/' } },
    'not_a_directory',
  ],
  [{ path: /policies/, response: 401 }, 'token_not_accepted'],
  [{ path: /policies/, response: 429 }, 'rate_limited'],
  [{ path: /policies/, response: 500 }, 'directory_unavailable'],
  [
    { path: /policies/, response: 403, headers: { 'www-authenticate': 'Bearer error="insufficient_scope"' } },
    'scope_not_granted',
  ],
] as const)
  test(`ends the scan with ${code} after ${fault.response} at ${fault.path}`, async (context) => {
    const emulator = await emulate(context, { faults: [fault] });
    await scannerError(connectTo(emulator, { flags: { maxRetries: 0 } }), code);
  });

test('reports an unknown host or a closed port as unreachable', async (context) => {
  const emulator = await emulate(context);
  const flags = { maxRetries: 0 };
  const unknown = connectTo(emulator, { env: { DIRECTORY_ORG_URL: 'https://example.invalid' }, flags });
  assert.match(
    (await scannerError(unknown, 'unreachable')).message,
    /https:\/\/example\.invalid.*DIRECTORY_ORG/,
  );
  const port = await closedPort();
  const refused = connectTo(emulator, { env: { DIRECTORY_ORG_URL: `http://127.0.0.1:${port}` }, flags });
  assert.match((await scannerError(refused, 'unreachable')).message, /ECONNREFUSED/);
});

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  assert.ok(address !== null && typeof address === 'object');
  return address.port;
}
