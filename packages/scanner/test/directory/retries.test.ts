import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Emulator } from '../../../directory-emulator/src/index.ts';
import { connectTo, emulate } from './support/connect-to.ts';
import { problemOf, readValue } from './support/read-value.ts';
import { scannerError } from './support/scanner-error.ts';
import { serve } from './support/serve.ts';

function addSessionPolicies({ organization: { policies } }: Emulator, count: number): void {
  const [policy] = policies;
  assert.ok(policy !== undefined);
  for (let number = 0; number < count; number++)
    policies.push({ ...policy, type: 'DIRECTORY_SIGN_ON', id: `more${number}` });
}

for (const response of [503, 504, 'disconnect'] as const)
  test(`retries a directory request after ${response} and marks the retry`, async (context) => {
    const emulator = await emulate(context);
    const warnings: string[] = [];
    const directory = await connectTo(emulator, { warnings });
    emulator.faults.push({
      path: '/api/v1/zones',
      response,
      times: 2,
      headers: { 'X-Directory-Request-Id': 'req-1' },
    });
    readValue((await directory.read(['zones'])).zones);
    const requested = emulator.requests.filter(({ path }) => path.startsWith('/api/v1/zones'));
    assert.equal(requested.length, 3);
    assert.equal(requested[2]?.headers['x-directory-retry-count'], '2');
    if (response !== 'disconnect') assert.equal(requested[2]?.headers['x-directory-retry-for'], 'req-1');
    assert.deepEqual([directory.requests.retries, directory.requests.waits], [2, 2]);
    assert.equal(warnings.length, 2);
    assert.match(warnings[0] ?? '', /^GET \/api\/v1\/zones: .* retrying in [\d.]+ s$/);
  });

test('retries a failed token request', async (context) => {
  const emulator = await emulate(context, {
    faults: [{ path: '/oauth2/v1/token', response: 503, times: 1 }],
  });
  const directory = await connectTo(emulator);
  assert.equal(directory.requests.token, 2);
});

test('waits after a 429 until the rate limit resets', async (context) => {
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

test('reads other endpoints while the rate limit of one endpoint is exhausted', async (context) => {
  const emulator = await emulate(context);
  const directory = await connectTo(emulator);
  const headers = { 'retry-after': '2', 'x-rate-limit-reset': '0' };
  emulator.faults.push({ path: /^\/api\/v1\/zones/, response: 429, times: 1, headers });
  const { zones, authenticators } = await directory.read(['zones', 'authenticators']);
  readValue(zones);
  readValue(authenticators);
  const order = emulator.requests.map(({ path, status }) => `${path.replace(/\?.*/, '')} ${status}`);
  assert.equal(order.at(-1), '/api/v1/zones 200', 'the rate-limited endpoint was not read last');
});

test('reads other endpoints while many requests wait for one endpoint', async (context) => {
  const emulator = await emulate(context);
  const directory = await connectTo(emulator);
  addSessionPolicies(emulator, 20);
  const headers = { 'retry-after': '2', 'x-rate-limit-reset': '0' };
  emulator.faults.push({ path: /\/rules/, response: 429, times: 8, headers });
  const policies = directory.read(['sessionPolicies']);
  while (directory.requests.waits === 0) await sleep(10);
  readValue((await directory.read(['authenticators'])).authenticators);
  const before = emulator.requests.filter(({ path, status }) => path.includes('/rules') && status === 200);
  assert.deepEqual(before, [], 'rules were read before the limit reset');
  for (const { rules } of readValue((await policies).sessionPolicies)) readValue(rules);
});

test('waits for Retry-After if the response has no reset time', async (context) => {
  const emulator = await emulate(context);
  const directory = await connectTo(emulator);
  emulator.faults.push({
    path: '/api/v1/zones',
    response: 429,
    times: 1,
    headers: { 'retry-after': '2', 'x-rate-limit-reset': '0' },
  });
  const start = performance.now();
  readValue((await directory.read(['zones'])).zones);
  assert.ok(performance.now() - start >= 1_900);
});

test("after the last retry, reports the response with the directory's message", async (context) => {
  const emulator = await emulate(context);
  const directory = await connectTo(emulator, { flags: { maxRetries: 1 } });
  emulator.faults.push(
    { path: '/api/v1/zones', response: 503 },
    { path: '/api/v1/brands', response: 'disconnect' },
  );
  const { zones, brands } = await directory.read(['zones', 'brands']);
  assert.deepEqual(problemOf(zones), {
    cause: 'failed',
    scope: null,
    detail: 'GET /api/v1/zones returned 503 (E0000009: Injected fault 503)',
  });
  assert.equal(problemOf(brands).cause, 'failed');
  assert.match(problemOf(brands).detail, /^GET \/api\/v1\/brands did not respond \(.+\)$/);
  assert.equal(emulator.requests.filter(({ path }) => path.startsWith('/api/v1/zones')).length, 2);
});

test('does not retry if retries are disabled', async (context) => {
  const emulator = await emulate(context);
  const directory = await connectTo(emulator, { flags: { maxRetries: 0 } });
  emulator.faults.push({ path: '/api/v1/zones', response: 429, times: 1 });
  problemOf((await directory.read(['zones'])).zones);
  assert.equal(directory.requests.retries, 0);
});

test('does not retry after responses other than 429, 503 and 504', async (context) => {
  const emulator = await emulate(context);
  const directory = await connectTo(emulator);
  emulator.faults.push({ path: '/api/v1/zones', response: 500, times: 1 });
  problemOf((await directory.read(['zones'])).zones);
  assert.equal(directory.requests.retries, 0);
});

test('does not wait before a retry if the wait would exceed the request timeout', async (context) => {
  const emulator = await emulate(context);
  const directory = await connectTo(emulator, { flags: { timeoutSeconds: 5 } });
  emulator.faults.push({ path: '/api/v1/zones', response: 429, headers: { 'retry-after': '3600' } });
  const start = performance.now();
  assert.match(problemOf((await directory.read(['zones'])).zones).detail, /returned 429/);
  assert.ok(performance.now() - start < 4_000);
});

test('aborts a request that receives no response before the timeout', async (context) => {
  const url = await serve(context, () => {});
  const emulator = await emulate(context);
  const { message } = await scannerError(
    connectTo(emulator, {
      env: { DIRECTORY_ORG_URL: url },
      flags: { timeoutSeconds: 0.5 },
    }),
    'unreachable',
  );
  assert.match(message, /did not respond within 0\.5 s/);
});

test('applies the configured request rate to all requests, including token requests', async (context) => {
  const emulator = await emulate(context);
  const start = performance.now();
  const directory = await connectTo(emulator, { flags: { requestsPerSecond: 10 } });
  await directory.read(['sessionPolicies', 'brands', 'apps', 'apiTokens', 'zones', 'lifecyclePolicies']);
  const seconds = (performance.now() - start) / 1000;
  const sent = directory.requests.api + directory.requests.token;
  assert.ok(sent > 12, `only ${sent} requests`);
  assert.ok(sent <= 10 + seconds * 10 + 1, `${sent} requests in ${seconds} s`);
});

test('does not retry every request if the network is down', async (context) => {
  const emulator = await emulate(context);
  const directory = await connectTo(emulator, { flags: { maxRetries: 2 } });
  addSessionPolicies(emulator, 40);
  emulator.faults.push({ path: /\/rules/, response: 'disconnect' });
  const policies = readValue((await directory.read(['sessionPolicies'])).sessionPolicies);
  for (const { rules } of policies) assert.equal(problemOf(rules).cause, 'failed');
  assert.ok(policies.length >= 40);
  assert.ok(directory.requests.waits < 40, `waited ${directory.requests.waits} times`);
});
