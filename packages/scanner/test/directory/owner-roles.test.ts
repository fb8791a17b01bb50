import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Emulator } from '../../../directory-emulator/src/index.ts';
import type { DIALECTS } from '../../src/directory/dialect.ts';
import type { ApiToken } from '../../src/directory/snapshot.ts';
import { connectTo, emulate, paths } from './support/connect-to.ts';
import { problemOf, readValue } from './support/read-value.ts';

const SUPER_ADMIN = { id: 'ra1', type: 'SUPER_ADMIN', label: 'Super Administrator' };
const READER = { id: 'ra2', type: 'READ_ONLY_ADMIN', label: 'Read-Only Administrator' };

/** A single token. Its owner `usr1` is a member of the group `grp1`. */
async function readToken(
  emulator: Emulator,
  dialect: keyof typeof DIALECTS,
  env: NodeJS.ProcessEnv = {},
): Promise<ApiToken> {
  const { apiTokens, users, groups } = emulator.organization;
  apiTokens.splice(0, Infinity, { id: 'tok1', name: 'Token', userId: 'usr1' });
  users.push({ id: 'usr1', roles: [READER], groups: ['grp1'] });
  groups.push({ id: 'grp1', name: 'Group', roles: [SUPER_ADMIN] });
  const directory = await connectTo(emulator, { dialect, env });
  return readValue((await directory.read(['apiTokens'])).apiTokens)[0] ?? assert.fail();
}

const readsGroups = (emulator: Emulator) => paths(emulator).includes('/api/v1/users/usr1/groups');

for (const dialect of ['okta', 'directory'] as const)
  test(`does not read a token owner's groups if the roles have an assignment type (--dialect ${dialect})`, async (context) => {
    const body = [
      { ...READER, assignmentType: 'USER' },
      { ...SUPER_ADMIN, assignmentType: 'GROUP' },
    ];
    const emulator = await emulate(context, { dialect });
    emulator.faults.push({ path: '/api/v1/users/usr1/roles', response: 200, body });
    const token = await readToken(emulator, dialect);
    assert.deepEqual(readValue(token.directRoles), ['READ_ONLY_ADMIN', 'SUPER_ADMIN']);
    assert.deepEqual(token.inheritedRoles, []);
    assert.equal(readsGroups(emulator), false);
  });

test('with only the ten default Okta scopes, finds a role inherited from a group', async (context) => {
  const emulator = await emulate(context, { dialect: 'okta' });
  const token = await readToken(emulator, 'okta');
  assert.deepEqual(readValue(token.directRoles), ['READ_ONLY_ADMIN', 'SUPER_ADMIN']);
  assert.equal(readsGroups(emulator), false);
});

test("treats an empty role list as complete in Okta, but reads the owner's groups in other directories", async (context) => {
  for (const dialect of ['okta', 'directory'] as const) {
    const emulator = await emulate(context, { dialect });
    emulator.faults.push({ path: '/api/v1/users/usr1/roles', response: 200, body: [] });
    const token = await readToken(emulator, dialect);
    assert.equal(token.inheritedRoles.length, dialect === 'directory' ? 1 : 0);
    assert.equal(readsGroups(emulator), dialect === 'directory', dialect);
  }
});

test("reads a token owner's groups if the roles have no assignment type", async (context) => {
  const emulator = await emulate(context);
  const token = await readToken(emulator, 'directory');
  assert.deepEqual(readValue(token.directRoles), ['READ_ONLY_ADMIN']);
  assert.deepEqual(token.inheritedRoles.flatMap(readValue), ['SUPER_ADMIN']);
});

test("requires okta.users.read to read a token owner's groups in Okta", async (context) => {
  const body = [READER, { ...READER, assignmentType: 'USER' }];
  const roles = { path: '/api/v1/users/usr1/roles', response: 200, body } as const;
  const emulator = await emulate(context, { dialect: 'okta', faults: [roles] });
  const token = await readToken(emulator, 'okta');
  const [problem] = token.inheritedRoles.map(problemOf);
  assert.deepEqual([problem?.cause, problem?.scope], ['scope', 'okta.users.read']);
  assert.equal(readsGroups(emulator), false, 'groups were requested without the scope');

  const scopes = ['okta.policies.read', 'okta.apiTokens.read', 'okta.roles.read', 'okta.users.read'];
  const granting = await emulate(context, { dialect: 'okta', faults: [roles], grantedScopes: scopes });
  const withScope = await readToken(granting, 'okta');
  assert.deepEqual(withScope.inheritedRoles.flatMap(readValue), ['SUPER_ADMIN']);
});

test("still checks for inherited roles if an owner's direct roles could not be read", async (context) => {
  for (const dialect of ['okta', 'directory'] as const) {
    const emulator = await emulate(context, { dialect });
    emulator.faults.push({ path: '/api/v1/users/usr1/roles', response: 403 });
    const token = await readToken(emulator, dialect);
    assert.equal(problemOf(token.directRoles).cause, 'role');
    assert.equal(token.inheritedRoles.length, 1);
    assert.equal(readsGroups(emulator), dialect === 'directory', dialect);
  }
});
