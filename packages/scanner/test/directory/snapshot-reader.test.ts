import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResourceKey } from '../../src/directory/snapshot.ts';
import { connectTo, emulate, paths } from './support/connect-to.ts';
import { problemOf, readValue } from './support/read-value.ts';

const EVERYTHING = [
  'sessionPolicies',
  'brands',
  'adminConsoleSettings',
  'adminConsoleApp',
  'dashboardApp',
  'apps',
  'passwordPolicies',
  'authenticators',
  'apiTokens',
  'zones',
  'identityProviders',
  'logStreams',
  'lifecyclePolicies',
] as const satisfies readonly ResourceKey[];

for (const dialect of ['directory', 'okta'] as const)
  test(`reads all resources of an organization (--dialect ${dialect})`, async (context) => {
    const emulator = await emulate(context, { dialect });
    const directory = await connectTo(emulator, { dialect });
    const snapshot = await directory.read(EVERYTHING);
    for (const key of EVERYTHING) readValue<unknown>(snapshot[key]);
    assert.ok(paths(emulator).some((path) => path.includes(`type=${dialect.toUpperCase()}_SIGN_ON`)));
    assert.equal(readValue(snapshot.adminConsoleApp)?.name, 'saasure');
    assert.equal(readValue(snapshot.dashboardApp)?.name, `${dialect}_enduser`);
    assert.ok(readValue(snapshot.authenticators).some(({ key }) => key === `${dialect}_verify`));
    assert.equal(directory.grantedScopes?.includes(`${dialect}.idps.read`), true);
  });

for (const organization of ['compliant', 'mixed', 'non-compliant'] as const)
  test(`requests each resource of the ${organization} organization only once`, async (context) => {
    const emulator = await emulate(context, { organization });
    const directory = await connectTo(emulator);
    await directory.read(EVERYTHING);
    const all = paths(emulator);
    assert.deepEqual(
      all.filter((path, index) => all.indexOf(path) !== index),
      [],
    );
    assert.equal(directory.requests.api, all.length);
    await directory.read(EVERYTHING);
    assert.equal(emulator.requests.length, all.length, 'a second read sent requests');
  });

test('reads only the requested resource types and reports progress for each', async (context) => {
  const emulator = await emulate(context);
  const directory = await connectTo(emulator);
  const progress: string[] = [];
  const keys = ['adminConsoleApp', 'zones'] as const;
  await directory.read(keys, (done, total, key) => progress.push(`${done}/${total} ${key}`));
  assert.deepEqual(progress.map((line) => line.slice(0, 3)).sort(), ['1/2', '2/2']);
  assert.ok(!paths(emulator).some((path) => path.startsWith('/api/v1/apps?limit')));
  // Spaces are encoded as %20, because + means a space only in form data.
  const requested = '/api/v1/apps?filter=name%20eq%20%22saasure%22';
  assert.ok(emulator.requests.some(({ path }) => path === requested));
});

test('sends only one request for a policy that several apps share or an owner that several tokens share', async (context) => {
  const emulator = await emulate(context);
  const { apps, apiTokens, users, groups } = emulator.organization;
  const app = apps.find(({ accessPolicyId }) => accessPolicyId !== null);
  assert.ok(app !== undefined && app.accessPolicyId !== null);
  for (let number = 0; number < 300; number += 1)
    apps.push({ ...app, id: `0oa${number}`, label: `App ${number}` });
  groups.push({
    id: 'grpS',
    name: 'Shared',
    roles: [{ id: 'raS', label: 'Help Desk', type: 'HELP_DESK_ADMIN' }],
  });
  users.push(
    { id: 'usrA', roles: [], groups: ['grpS'] },
    { id: 'usrB', roles: [{ id: 'raC', label: 'Custom' }], groups: ['grpS'] },
  );
  for (const [id, userId] of [
    ['tok1', 'usrA'],
    ['tok2', 'usrA'],
    ['tok3', 'usrB'],
  ] as const)
    apiTokens.push({ id, name: id, userId });
  const directory = await connectTo(emulator);
  const snapshot = await directory.read(['apps', 'apiTokens']);
  const all = paths(emulator);
  assert.equal(all.filter((path) => path.includes(`${app.accessPolicyId}/rules`)).length, 1);
  assert.equal(all.filter((path) => path === '/api/v1/users/usrA/roles').length, 1);
  assert.equal(all.filter((path) => path === '/api/v1/groups/grpS/roles').length, 1);
  const token = readValue(snapshot.apiTokens).find(({ id }) => id === 'tok3') ?? assert.fail();
  assert.deepEqual(readValue(token.directRoles), ['Custom']);
  assert.deepEqual(token.inheritedRoles.flatMap(readValue), ['HELP_DESK_ADMIN']);
  assert.ok(readValue(snapshot.apps).length >= 301);
});

test('sorts policies and rules by priority, apps by label, and zones by name', async (context) => {
  const emulator = await emulate(context);
  const { policies, zones, apps } = emulator.organization;
  const policy = policies.find(({ type }) => type === 'DIRECTORY_SIGN_ON');
  const [zone, app] = [zones[0], apps[0]];
  assert.ok(policy && zone && app);
  policies.length = 0;
  const rules = [
    { id: 'rul3', name: 'C', priority: null },
    { id: 'rul2', name: 'B', priority: 2 },
    { id: 'rul1', name: 'A', priority: 2 },
    { id: 'rul0', name: 'Z', priority: 1 },
  ];
  policies.push(
    { ...policy, id: 'pol2', name: 'P2', priority: 2, rules },
    { ...policy, id: 'pol1', name: 'P1', priority: 1, rules: [] },
  );
  zones.length = 0;
  zones.push(
    { ...zone, id: 'nzo2', name: 'b' },
    { ...zone, id: 'nzo1', name: 'b' },
    { ...zone, id: 'nzo3', name: 'a' },
  );
  apps.length = 0;
  apps.push({ ...app, id: '0oa2', label: 'Zebra' }, { ...app, id: '0oa1', label: 'Ape' });
  const directory = await connectTo(emulator);
  const snapshot = await directory.read(['sessionPolicies', 'zones', 'apps']);
  const read = readValue(snapshot.sessionPolicies);
  const ids = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id);
  assert.deepEqual(ids(read), ['pol1', 'pol2']);
  assert.deepEqual(ids(readValue(read[1]?.rules ?? assert.fail())), ['rul0', 'rul1', 'rul2', 'rul3']);
  assert.deepEqual(ids(readValue(snapshot.zones)), ['nzo3', 'nzo1', 'nzo2']);
  assert.deepEqual(ids(readValue(snapshot.apps)), ['0oa1', '0oa2']);
});

test('returns resource types that were not requested as unread, not as empty', async (context) => {
  const emulator = await emulate(context);
  const directory = await connectTo(emulator);
  const keys: readonly ResourceKey[] = ['zones'];
  const snapshot = await directory.read(keys);
  assert.equal(problemOf(snapshot.brands).cause, 'failed');
});
