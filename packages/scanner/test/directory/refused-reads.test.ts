import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectTo, emulate, paths } from './support/connect-to.ts';
import { problemOf, readValue } from './support/read-value.ts';

const ALL = [
  'directory.policies.read',
  'directory.brands.read',
  'directory.apps.read',
  'directory.authenticators.read',
  'directory.networkZones.read',
  'directory.apiTokens.read',
  'directory.roles.read',
  'directory.groups.read',
  'directory.logStreams.read',
  'directory.idps.read',
];
const without = (...missing: string[]) => ({
  DIRECTORY_SCOPES: ALL.filter((scope) => !missing.includes(scope)).join(' '),
});

for (const [scope, key, path] of [
  ['directory.brands.read', 'brands', '/api/v1/brands'],
  ['directory.apps.read', 'apps', '/api/v1/apps'],
  ['directory.apps.read', 'dashboardApp', '/api/v1/apps'],
  ['directory.apps.read', 'adminConsoleSettings', '/api/v1/first-party-app-settings/admin-console'],
  ['directory.authenticators.read', 'authenticators', '/api/v1/authenticators'],
  ['directory.networkZones.read', 'zones', '/api/v1/zones'],
  ['directory.apiTokens.read', 'apiTokens', '/api/v1/api-tokens'],
  ['directory.logStreams.read', 'logStreams', '/api/v1/logStreams'],
  ['directory.idps.read', 'identityProviders', '/api/v1/idps'],
  ['directory.policies.read', 'sessionPolicies', '/api/v1/policies'],
  ['directory.policies.read', 'passwordPolicies', '/api/v1/policies'],
  ['directory.policies.read', 'lifecyclePolicies', '/api/v1/policies'],
] as const)
  test(`does not request ${key} without ${scope}, and reports the scope`, async (context) => {
    const emulator = await emulate(context);
    const directory = await connectTo(emulator, { env: without(scope) });
    const problem = problemOf((await directory.read([key]))[key]);
    assert.deepEqual([problem.cause, problem.scope], ['scope', scope]);
    assert.ok(problem.detail.startsWith(`GET ${path}`), problem.detail);
    assert.equal(emulator.requests.length, 1, 'requests other than the probe were sent');
  });

test('reads apps without the scope for policies, but not their rules', async (context) => {
  const emulator = await emulate(context);
  const directory = await connectTo(emulator, { env: without('directory.policies.read') });
  const { adminConsoleApp, apps } = await directory.read(['adminConsoleApp', 'apps']);
  assert.ok(readValue(apps).length > 0);
  const policy = readValue(adminConsoleApp)?.accessPolicy;
  assert.ok(policy);
  assert.equal(problemOf(policy.rules).scope, 'directory.policies.read');
});

test('requires two scopes for the direct and inherited roles of token owners', async (context) => {
  const emulator = await emulate(context);
  const roles = await connectTo(emulator, { env: without('directory.roles.read') });
  for (const token of readValue((await roles.read(['apiTokens'])).apiTokens)) {
    assert.equal(problemOf(token.directRoles).scope, 'directory.roles.read');
    assert.equal(problemOf(token.inheritedRoles[0] ?? assert.fail()).scope, 'directory.roles.read');
  }
  const groups = await connectTo(emulator, { env: without('directory.groups.read') });
  for (const token of readValue((await groups.read(['apiTokens'])).apiTokens)) {
    readValue(token.directRoles);
    assert.equal(problemOf(token.inheritedRoles[0] ?? assert.fail()).scope, 'directory.groups.read');
  }
  assert.ok(!paths(emulator).some((path) => path.startsWith('/api/v1/groups/')));
});

test('reads neither admin console settings nor first-party apps as a read-only administrator', async (context) => {
  const emulator = await emulate(context, { role: 'read-only' });
  const directory = await connectTo(emulator);
  const snapshot = await directory.read(['adminConsoleSettings', 'adminConsoleApp', 'dashboardApp', 'zones']);
  const problem = problemOf(snapshot.adminConsoleSettings);
  assert.equal(problem.cause, 'role');
  assert.match(problem.detail, /returned 403 \(E0000006: /);
  assert.equal(readValue(snapshot.adminConsoleApp), undefined);
  assert.equal(readValue(snapshot.dashboardApp), undefined);
  readValue(snapshot.zones);
});

test('reports admin console settings as unavailable if the organization does not offer them', async (context) => {
  const emulator = await emulate(context);
  emulator.organization.adminConsoleSettings = null;
  const directory = await connectTo(emulator);
  const { adminConsoleSettings } = await directory.read(['adminConsoleSettings']);
  assert.equal(problemOf(adminConsoleSettings).cause, 'not_offered');
});

test('reports a 403 for insufficient scope as a missing scope, even if the token has the scope', async (context) => {
  const headers = { 'www-authenticate': 'DPoP error="insufficient_scope"' };
  const emulator = await emulate(context, { faults: [{ path: /zones/, response: 403, headers }] });
  const directory = await connectTo(emulator);
  const problem = problemOf((await directory.read(['zones'])).zones);
  assert.deepEqual([problem.cause, problem.scope], ['scope', 'directory.networkZones.read']);
});

test('reports a policy as unreadable only if its own rules could not be read', async (context) => {
  const emulator = await emulate(context);
  const policy = emulator.organization.policies.find(({ type }) => type === 'DIRECTORY_SIGN_ON');
  assert.ok(policy !== undefined);
  emulator.organization.policies.push({ ...policy, id: 'pol2', name: 'Second', priority: 99 });
  emulator.faults.push({ path: `/api/v1/policies/pol2/rules`, response: 404 });
  const directory = await connectTo(emulator);
  const policies = readValue((await directory.read(['sessionPolicies'])).sessionPolicies);
  const rules = new Map(policies.map((one) => [one.id, one.rules]));
  readValue(rules.get(policy.id) ?? assert.fail());
  // The policy was listed, so a 404 does not indicate a missing feature.
  assert.equal(problemOf(rules.get('pol2') ?? assert.fail()).cause, 'failed');
});

test('reports group roles as unreadable only for the group that could not be read', async (context) => {
  const emulator = await emulate(context);
  const owner = emulator.organization.users[0];
  assert.ok(owner !== undefined);
  emulator.organization.groups.push(
    { id: 'grpA', name: 'A', roles: [] },
    { id: 'grpB', name: 'B', roles: [] },
  );
  owner.groups.push('grpA', 'grpB');
  emulator.organization.apiTokens.push({ id: 'tokX', name: 'X', userId: owner.id });
  emulator.faults.push({ path: '/api/v1/groups/grpB/roles', response: 403 });
  const directory = await connectTo(emulator);
  const tokens = readValue((await directory.read(['apiTokens'])).apiTokens);
  const token = tokens.find(({ id }) => id === 'tokX') ?? assert.fail();
  readValue(token.directRoles);
  const causes = token.inheritedRoles.map((roles) => (roles.kind === 'read' ? 'read' : roles.problem.cause));
  assert.deepEqual(causes.slice(-2), ['read', 'role']);
});

test('reports the roles of a deleted or missing token owner as unreadable', async (context) => {
  const emulator = await emulate(context);
  emulator.organization.apiTokens.push(
    { id: 'tokY', name: 'Y', userId: 'usrGone' },
    { id: 'tokZ', name: 'Z' },
  );
  const directory = await connectTo(emulator);
  const tokens = readValue((await directory.read(['apiTokens'])).apiTokens);
  for (const id of ['tokY', 'tokZ']) {
    const token = tokens.find((one) => one.id === id) ?? assert.fail();
    assert.equal(problemOf(token.directRoles).cause, 'failed');
    assert.equal(problemOf(token.inheritedRoles[0] ?? assert.fail()).cause, 'failed');
  }
});

const FEATURE_MISSING = {
  errorCode: 'E0000015',
  errorSummary: 'You do not have permission to access the feature you are requesting',
  errorLink: 'E0000015',
  errorId: 'oae1',
  errorCauses: [],
};

test('reports a missing feature without requesting a new token or retrying', async (context) => {
  const emulator = await emulate(context);
  const directory = await connectTo(emulator);
  emulator.faults.push(
    { path: /^\/api\/v1\/logStreams/, response: 401, body: FEATURE_MISSING },
    { path: /\/rules/, response: 401, body: FEATURE_MISSING },
  );
  const { logStreams, sessionPolicies } = await directory.read(['logStreams', 'sessionPolicies']);
  assert.deepEqual(problemOf(logStreams), {
    cause: 'not_offered',
    scope: null,
    detail: `GET /api/v1/logStreams returned 401 (E0000015: ${FEATURE_MISSING.errorSummary})`,
  });
  for (const { rules } of readValue(sessionPolicies)) assert.equal(problemOf(rules).cause, 'not_offered');
  assert.equal(emulator.requests.filter(({ path }) => path.startsWith('/api/v1/logStreams')).length, 1);
  assert.deepEqual([directory.requests.token, directory.requests.retries], [1, 0]);
});

test('requests a new token after a 401 with any other error code', async (context) => {
  const emulator = await emulate(context);
  const directory = await connectTo(emulator);
  emulator.faults.push({ path: /^\/api\/v1\/logStreams/, response: 401, times: 1 });
  readValue((await directory.read(['logStreams'])).logStreams);
  assert.equal(directory.requests.token, 2);
});

test('reports a rejected cursor as a failed read', async (context) => {
  const emulator = await emulate(context, { pageSize: 1 });
  const directory = await connectTo(emulator);
  const body = { errorCode: 'E0000029', errorSummary: 'Invalid paging request.' };
  emulator.faults.push({ path: /^\/api\/v1\/authenticators\?after=/, response: 400, body });
  const problem = problemOf((await directory.read(['authenticators'])).authenticators);
  assert.equal(problem.cause, 'failed');
  assert.match(problem.detail, /returned 400 \(E0000029: Invalid paging request\)/);
  assert.equal(directory.requests.retries, 0);
});
