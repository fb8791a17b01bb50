import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { emulators } from './support/emulators.ts';
import { scannerClient } from './support/scanner-client.ts';

const organizations = emulators();
after(() => organizations.stopAll());

const ROLES = '/api/v1/users/00uInherits/roles';
const GROUPS = '/api/v1/users/00uInherits/groups';

describe('user roles and groups', () => {
  it('returns direct and inherited roles with their assignment types when emulating Okta', async () => {
    const emulator = await organizations.start({ organization: 'non-compliant', dialect: 'okta' });
    const client = await scannerClient(emulator, { scope: 'okta.roles.read' });
    const roles: unknown = await (await client.get(ROLES)).json();
    assert.ok(Array.isArray(roles));
    const assigned = roles.map(({ type, assignmentType }) => [type, assignmentType]);
    assert.deepEqual(assigned, [
      ['READ_ONLY_ADMIN', 'USER'],
      ['SUPER_ADMIN', 'GROUP'],
    ]);
  });

  it('returns only direct roles, without assignment types, by default', async () => {
    const emulator = await organizations.start({ organization: 'non-compliant' });
    const client = await scannerClient(emulator);
    const text = await (await client.get(ROLES)).text();
    assert.match(text, /READ_ONLY_ADMIN/);
    assert.doesNotMatch(text, /SUPER_ADMIN|assignmentType/);
  });

  it("requires okta.users.read when emulating Okta, and directory.groups.read otherwise, to list a user's groups", async () => {
    for (const [dialect, scope, status] of [
      ['okta', 'okta.users.read', 200],
      ['okta', 'okta.groups.read', 403],
      ['directory', 'directory.groups.read', 200],
    ] as const) {
      const grantedScopes = [scope];
      const emulator = await organizations.start({ organization: 'non-compliant', dialect, grantedScopes });
      const client = await scannerClient(emulator, { scope });
      assert.equal((await client.get(GROUPS)).status, status, scope);
    }
  });
});
