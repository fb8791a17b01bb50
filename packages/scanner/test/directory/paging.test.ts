import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectTo, emulate, paths } from './support/connect-to.ts';
import { problemOf, readValue } from './support/read-value.ts';

test('reads every list to the end and repeats the query parameters of the first request', async (context) => {
  const emulator = await emulate(context);
  const { zones } = emulator.organization;
  const template = zones[0];
  assert.ok(template !== undefined);
  for (let number = zones.length; number < 450; number += 1)
    zones.push({ ...template, id: `nzo${number}`, name: `Zone ${number}` });
  const directory = await connectTo(emulator);
  assert.equal(readValue((await directory.read(['zones'])).zones).length, 450);
  const requested = paths(emulator).filter((path) => path.startsWith('/api/v1/zones'));
  assert.equal(requested.length, 3);
  assert.match(requested[2] ?? '', /^\/api\/v1\/zones\?limit=200&after=400,/);
});

test('reads lists with server-defined page sizes to the end', async (context) => {
  const emulator = await emulate(context, { pageSize: 1 });
  const { authenticators } = emulator.organization;
  const directory = await connectTo(emulator);
  const snapshot = await directory.read(['authenticators', 'apiTokens']);
  assert.ok(authenticators.length > 1);
  assert.equal(readValue(snapshot.authenticators).length, authenticators.length);
  assert.equal(readValue(snapshot.apiTokens).length, emulator.organization.apiTokens.length);
});

test('reports a repeated cursor as a failed read', async (context) => {
  const emulator = await emulate(context);
  const directory = await connectTo(emulator);
  emulator.faults.push({ path: /^\/api\/v1\/zones/, response: 'repeat-cursor' });
  const { cause, detail } = problemOf((await directory.read(['zones'])).zones);
  assert.equal(cause, 'failed');
  assert.match(detail, /^GET \/api\/v1\/zones returned the same next page twice/);
  assert.ok(emulator.requests.length < 5);
});

test('reports a list as unread if a later page fails', async (context) => {
  const emulator = await emulate(context, { pageSize: 1 });
  const directory = await connectTo(emulator);
  emulator.faults.push({ path: /^\/api\/v1\/authenticators\?after=/, response: 500 });
  assert.equal(problemOf((await directory.read(['authenticators'])).authenticators).cause, 'failed');
});

for (const [response, expectedDetail] of [
  ['html', 'returned 200 with an HTML page instead of JSON'],
  ['invalid-json', 'returned 200 with a body that is not JSON'],
] as const)
  test(`reports a failed read if the API ${expectedDetail}`, async (context) => {
    const emulator = await emulate(context, { faults: [{ path: /^\/api\/v1\/brands/, response }] });
    const directory = await connectTo(emulator);
    assert.deepEqual(problemOf((await directory.read(['brands'])).brands), {
      cause: 'failed',
      scope: null,
      detail: `GET /api/v1/brands ${expectedDetail}`,
    });
  });

test('reports an unexpected response as a failed read, not as an empty list', async (context) => {
  const emulator = await emulate(context);
  const directory = await connectTo(emulator);
  emulator.faults.push(
    { path: /^\/api\/v1\/brands/, response: 200, body: { brands: [] } },
    { path: /^\/api\/v1\/zones/, response: 200, body: [{ id: 'nzo1' }, { name: 'Without id' }] },
    { path: /^\/api\/v1\/logStreams/, response: 200, body: [null] },
    { path: /^\/api\/v1\/first-party/, response: 200, body: [] },
    { path: /^\/api\/v1\/idps/, response: 204, body: '' },
  );
  const snapshot = await directory.read([
    'brands',
    'zones',
    'logStreams',
    'adminConsoleSettings',
    'identityProviders',
  ]);
  assert.match(problemOf(snapshot.brands).detail, /did not return a list/);
  assert.match(problemOf(snapshot.zones).detail, /element 2 is not an object with a valid 'id'/);
  assert.match(problemOf(snapshot.logStreams).detail, /element 1 is not an object/);
  assert.match(problemOf(snapshot.adminConsoleSettings).detail, /did not return an object/);
  assert.match(problemOf(snapshot.identityProviders).detail, /returned 204/);
});

test('returns an empty list as a successful read', async (context) => {
  const emulator = await emulate(context);
  emulator.organization.zones.length = 0;
  const directory = await connectTo(emulator);
  assert.deepEqual(readValue((await directory.read(['zones'])).zones), []);
});
