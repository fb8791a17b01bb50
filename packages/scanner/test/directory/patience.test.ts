import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectTo, emulate } from './support/connect-to.ts';
import { problemOf, readValue } from './support/read-value.ts';
import { scannerError } from './support/scanner-error.ts';

for (const answer of [503, 504, 'disconnect'] as const)
  test(`A request is repeated after ${answer}, and the repeat says so`, async (context) => {
    const emulator = await emulate(context);
    const warnings: string[] = [];
    const directory = await connectTo(emulator, { warnings });
    emulator.faults.push({
      path: '/api/v1/zones',
      answer,
      times: 2,
      headers: { 'X-Directory-Request-Id': 'req-1' },
    });
    readValue((await directory.read(['zones'])).zones);
    const asked = emulator.requests.filter(({ path }) => path.startsWith('/api/v1/zones'));
    assert.equal(asked.length, 3);
    assert.equal(asked[2]?.headers['x-directory-retry-count'], '2');
    if (answer !== 'disconnect') assert.equal(asked[2]?.headers['x-directory-retry-for'], 'req-1');
    assert.deepEqual([directory.requests.retries, directory.requests.waits], [2, 2]);
    assert.equal(warnings.length, 2);
    assert.match(warnings[0] ?? '', /^GET \/api\/v1\/zones: .* trying again in [\d.]+ s$/);
  });

test('The token request is repeated as well', async (context) => {
  const emulator = await emulate(context, {
    faults: [{ path: '/oauth2/v1/token', answer: 503, times: 1 }],
  });
  const directory = await connectTo(emulator);
  assert.equal(directory.requests.token, 2);
});

test('429 is waited out until the limit is lifted, and nothing is sent before', async (context) => {
  const emulator = await emulate(context, { rateLimit: { requestsPerWindow: 3, windowSeconds: 2 } });
  const directory = await connectTo(emulator);
  const { zones, brands } = await directory.read(['zones', 'brands', 'logStreams', 'authenticators']);
  readValue(zones);
  readValue(brands);
  const refusedAt = emulator.requests.findIndex(({ status }) => status === 429);
  const refused = emulator.requests[refusedAt];
  const next = emulator.requests.slice(refusedAt).find(({ status }) => status === 200);
  assert.ok(refused !== undefined && next !== undefined);
  assert.ok(next.receivedAt.getTime() - refused.receivedAt.getTime() >= 1_000);
  assert.ok(directory.requests.waitedSeconds >= 1);
});

test('A limit that one request meets holds the others back as well', async (context) => {
  const emulator = await emulate(context);
  const directory = await connectTo(emulator);
  const headers = { 'retry-after': '2', 'x-rate-limit-reset': '0' };
  emulator.faults.push({ path: '/api/v1/zones', answer: 429, times: 1, headers });
  const zones = directory.read(['zones']);
  const start = performance.now();
  while (directory.requests.waits === 0 && performance.now() - start < 5_000) await sleep(10);
  readValue((await directory.read(['authenticators'])).authenticators);
  await zones;
  const at = (path: string) =>
    emulator.requests.find((one) => one.path.startsWith(path))?.receivedAt.getTime();
  const apart = (at('/api/v1/authenticators') ?? 0) - (at('/api/v1/zones') ?? 0);
  assert.ok(apart >= 1_900, `sent after ${apart} ms`);
});

test('Retry-After is honoured where the answer does not tell the end of the limit', async (context) => {
  const emulator = await emulate(context);
  const directory = await connectTo(emulator);
  emulator.faults.push({
    path: '/api/v1/zones',
    answer: 429,
    times: 1,
    headers: { 'retry-after': '2', 'x-rate-limit-reset': '0' },
  });
  const start = performance.now();
  readValue((await directory.read(['zones'])).zones);
  assert.ok(performance.now() - start >= 2_000);
});

test('After the last repeat the answer stands, with what the directory says of it', async (context) => {
  const emulator = await emulate(context);
  const directory = await connectTo(emulator, { flags: { maxRetries: 1 } });
  emulator.faults.push(
    { path: '/api/v1/zones', answer: 503 },
    { path: '/api/v1/brands', answer: 'disconnect' },
  );
  const { zones, brands } = await directory.read(['zones', 'brands']);
  assert.deepEqual(problemOf(zones), {
    cause: 'failed',
    scope: null,
    detail: 'GET /api/v1/zones answered 503 (E0000009: Injected fault 503)',
  });
  assert.equal(problemOf(brands).cause, 'failed');
  assert.match(problemOf(brands).detail, /^GET \/api\/v1\/brands got no answer \(.+\)$/);
  assert.equal(emulator.requests.filter(({ path }) => path.startsWith('/api/v1/zones')).length, 2);
});

test('No retries means none', async (context) => {
  const emulator = await emulate(context);
  const directory = await connectTo(emulator, { flags: { maxRetries: 0 } });
  emulator.faults.push({ path: '/api/v1/zones', answer: 429, times: 1 });
  problemOf((await directory.read(['zones'])).zones);
  assert.equal(directory.requests.retries, 0);
});

test('Other answers are final at once', async (context) => {
  const emulator = await emulate(context);
  const directory = await connectTo(emulator);
  emulator.faults.push({ path: '/api/v1/zones', answer: 500, times: 1 });
  problemOf((await directory.read(['zones'])).zones);
  assert.equal(directory.requests.retries, 0);
});

test('A wait that is longer than the time for a request is not begun', async (context) => {
  const emulator = await emulate(context);
  const directory = await connectTo(emulator, { flags: { timeoutSeconds: 5 } });
  emulator.faults.push({ path: '/api/v1/zones', answer: 429, headers: { 'retry-after': '3600' } });
  const start = performance.now();
  assert.match(problemOf((await directory.read(['zones'])).zones).detail, /answered 429/);
  assert.ok(performance.now() - start < 4_000);
});

test('A directory that never answers is given up when the time is over', async (context) => {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  const emulator = await emulate(context);
  const { message } = await scannerError(
    connectTo(emulator, {
      env: { DIRECTORY_ORG_URL: `http://127.0.0.1:${address.port}` },
      flags: { timeoutSeconds: 0.5 },
    }),
    'unreachable',
  );
  assert.match(message, /gave no answer within 0\.5 s/);
});

test('All requests together keep the rate, token requests included', async (context) => {
  const emulator = await emulate(context);
  const start = performance.now();
  const directory = await connectTo(emulator, { flags: { requestsPerSecond: 10 } });
  await directory.read(['sessionPolicies', 'brands', 'apps', 'apiTokens', 'zones', 'lifecyclePolicies']);
  const seconds = (performance.now() - start) / 1000;
  const sent = directory.requests.api + directory.requests.token;
  assert.ok(sent > 12, `only ${sent} requests`);
  assert.ok(sent <= 10 + seconds * 10 + 1, `${sent} requests in ${seconds} s`);
});

test('When the network is gone the scan does not wait for each request anew', async (context) => {
  const emulator = await emulate(context);
  const directory = await connectTo(emulator, { flags: { maxRetries: 2 } });
  const [policy] = emulator.organization.policies;
  assert.ok(policy !== undefined);
  for (let number = 0; number < 40; number++)
    emulator.organization.policies.push({ ...policy, type: 'DIRECTORY_SIGN_ON', id: `more${number}` });
  emulator.faults.push({ path: /\/rules/, answer: 'disconnect' });
  const policies = readValue((await directory.read(['sessionPolicies'])).sessionPolicies);
  for (const { rules } of policies) assert.equal(problemOf(rules).cause, 'failed');
  assert.ok(policies.length >= 40);
  assert.ok(directory.requests.waits < 40, `waited ${directory.requests.waits} times`);
});
