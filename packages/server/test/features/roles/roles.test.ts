import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  created,
  makeKey,
  PERMISSIONS,
  postRole,
  postUser,
  type Role,
  UNKNOWN_ID,
  type User,
} from '../../support/access-resources.ts';
import { type Client, createClient } from '../../support/client.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { assertRefused } from '../../support/refusal.ts';
import { createSecondTenant, type SecondTenant } from '../../support/second-tenant.ts';
import { TIMESTAMP } from '../../support/timestamp.ts';

const NOT_FOUND = { status: 404, code: 'not_found', detail: /^No role has this ID\.$/ };
const TAKEN = { status: 409, code: 'name_taken', source: { pointer: '/data/attributes/name' } };

describe('roles', () => {
  let service: SharedService;
  let client: Client;
  let second: SecondTenant;
  let adminRole: string;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
    second = await createSecondTenant(service);
    const [found] = await service.sql<{ role: string }>(
      'select role_id as role from user_roles where tenant_id = $1',
      [service.tenantId],
    );
    adminRole = found?.role ?? '';
  });
  after(() => service.leave());

  const patch = (id: string, attributes: object, as = client) =>
    as.document<Role>('PATCH', `/roles/${id}`, { type: 'roles', id, attributes });
  const made = async (name: string, permissions: readonly string[] = []) =>
    created(await postRole(client, name, permissions));
  const userWith = async (email: string, ...roles: readonly string[]) =>
    created(await postUser(client, email, roles)).id;
  const restrictedTo = async (permissions: readonly string[]) =>
    client.as((await makeKey(client, { name: 'test', permissions })).key);

  const actions = async (id: string) =>
    (
      await service.sql<{ action: string; changes: object }>(
        'select action, changes from audit_events where target_id = $1 order by occurred_at',
        [id],
      )
    ).map(({ action, changes }) => [action, changes]);

  describe('creating roles', () => {
    it('creates a role with deduplicated permissions, and returns a Location header', async () => {
      const response = await postRole(client, 'Prüfer & Co. 🔍', [
        'manage_scans',
        'manage_providers',
        'manage_scans',
      ]);
      assert.equal(response.status, 201);
      const { data } = response.body;
      assert.match(data.attributes.inserted_at, TIMESTAMP);
      const permissions = ['manage_providers', 'manage_scans'];
      assert.deepEqual(data.attributes, {
        name: 'Prüfer & Co. 🔍',
        permissions,
        users: 0,
        inserted_at: data.attributes.inserted_at,
      });
      assert.equal(response.headers.get('location'), `${service.url}/api/v1/roles/${data.id}`);
      assert.deepEqual((await client.get<Role>(`/roles/${data.id}`)).body.data, data);
      assert.deepEqual(await actions(data.id), [['role.created', { name: 'Prüfer & Co. 🔍', permissions }]]);
    });

    it('returns 409 for a role name that is in use, even with concurrent requests', async () => {
      await made('taken');
      assertRefused(await postRole(client, 'taken'), { ...TAKEN, detail: /'taken'/ });
      const responses = await Promise.all([1, 2, 3].map(() => postRole(client, 'raced')));
      assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 409, 409]);
    });

    it('lets an API key create roles only with permissions that it has', async () => {
      const restricted = await restrictedTo(['manage_users', 'manage_scans']);
      assertRefused(await postRole(restricted, 'more', ['manage_scans', 'manage_account']), {
        status: 403,
        code: 'permission_denied',
        detail: /cannot grant manage_account/,
        source: { pointer: '/data/attributes/permissions' },
      });
      assert.equal((await postRole(restricted, 'less', ['manage_scans'])).status, 201);
    });
  });

  describe('changing roles', () => {
    it('updates only the given attributes of a role and applies them to all its users', async () => {
      const { id, attributes } = await made('before', ['manage_scans']);
      const users = await Promise.all(['a@example.com', 'b@example.com'].map((email) => userWith(email, id)));
      const renamed = await patch(id, { name: 'after' });
      assert.deepEqual(renamed.body.data.attributes, { ...attributes, name: 'after', users: 2 });
      const allowed = await patch(id, { permissions: ['manage_billing'] });
      assert.deepEqual(allowed.body.data.attributes, {
        ...attributes,
        name: 'after',
        permissions: ['manage_billing'],
        users: 2,
      });
      assert.equal((await patch(id, { name: 'after' })).status, 200);
      for (const user of users) {
        const { body } = await client.get<User>(`/users/${user}`);
        assert.deepEqual(body.data.attributes.permissions, ['manage_billing']);
      }
      assert.deepEqual((await actions(id)).slice(1), [
        ['role.updated', { name: 'after' }],
        ['role.updated', { permissions: ['manage_billing'] }],
        ['role.updated', { name: 'after' }],
      ]);
    });

    it('lets an API key add or remove only role permissions that it has', async () => {
      const restricted = await restrictedTo(['manage_users']);
      const { id } = await made('grown', ['manage_billing']);
      assertRefused(await patch(id, { permissions: ['manage_billing', 'manage_account'] }, restricted), {
        status: 403,
        code: 'permission_denied',
        detail: /cannot grant manage_account/,
        source: { pointer: '/data/attributes/permissions' },
      });
      assert.equal(
        (await patch(id, { permissions: ['manage_billing', 'manage_users'] }, restricted)).status,
        200,
      );
      assertRefused(await patch(id, { permissions: ['manage_users'] }, restricted), {
        status: 403,
        code: 'permission_denied',
        detail: /cannot revoke manage_billing/,
        source: { pointer: '/data/attributes/permissions' },
      });
      assert.equal((await patch(id, { permissions: ['manage_billing'] }, restricted)).status, 200);
    });

    it('returns 409 for a role change that would leave no user with a permission', async () => {
      const other = await createSecondTenant(service);
      const [role] = (await other.client.get<Role[]>('/roles')).body.data;
      const id = role?.id ?? '';
      for (const permission of PERMISSIONS)
        assertRefused(
          await patch(id, { permissions: PERMISSIONS.filter((name) => name !== permission) }, other.client),
          {
            status: 409,
            code: 'last_holder',
            detail: new RegExp(`would have ${permission} after this change`),
          },
        );
      // A role without users does not count.
      created(await postRole(other.client, 'spare', PERMISSIONS));
      assert.equal((await patch(id, { permissions: [] }, other.client)).status, 409);
      const { body } = await other.client.get<Role>(`/roles/${id}`);
      assert.deepEqual(body.data.attributes.permissions, PERMISSIONS);
    });

    it('rejects a role update with a name that is in use, and changes nothing', async () => {
      await made('theirs');
      const { id } = await made('ours');
      assertRefused(await patch(id, { name: 'theirs', permissions: ['manage_scans'] }), {
        ...TAKEN,
        detail: /'theirs'/,
      });
      assert.deepEqual((await client.get<Role>(`/roles/${id}`)).body.data.attributes.permissions, []);
    });
  });

  it('deletes a role only when no user has it', async () => {
    const { id } = await made('to be deleted');
    const user = await userWith('holder@example.com', id);
    assertRefused(await client.delete(`/roles/${id}`), {
      status: 409,
      code: 'role_in_use',
      detail: /^The role is assigned to 1 user\. Unassign it/,
    });
    await client.delete(`/users/${user}`);
    assert.equal((await client.delete(`/roles/${id}`)).status, 204);
    for (const method of ['GET', 'DELETE'])
      assertRefused(await client.send(`/roles/${id}`, { method }), NOT_FOUND);
    assert.deepEqual((await actions(id)).at(-1), ['role.deleted', { name: 'to be deleted' }]);
  });

  it('applies `sluice user set-permissions` to one user, even when other users share the role', async () => {
    const tenantOption = ['--tenant', service.tenantId, '--email'] as const;
    await service.sluiceJson(
      'user',
      'create',
      ...tenantOption,
      'own@example.com',
      '--permissions',
      'manage_scans',
    );
    const [role] = (await client.get<Role[]>('/roles?filter[search]=of%20own@')).body.data;
    assert.equal(role?.attributes.name, 'Permissions of own@example.com');
    const other = await userWith('shares@example.com', role?.id ?? '');
    await service.sluiceJson('user', 'set-permissions', ...tenantOption, 'OWN@example.com', 'manage_billing');
    const permissionsOf = async (filter: string) =>
      (await client.get<User[]>(`/users?${filter}`)).body.data.map(
        ({ attributes }) => attributes.permissions,
      );
    assert.deepEqual(await permissionsOf('filter[email]=own@example.com'), [['manage_billing']]);
    assert.deepEqual(await permissionsOf('filter[email]=shares@example.com'), [['manage_scans']]);
    await service.sluiceJson('user', 'set-permissions', ...tenantOption, 'own@example.com', 'manage_users');
    assert.deepEqual(await permissionsOf('filter[email]=own@example.com'), [['manage_users']]);
    assert.equal((await client.get<Role[]>('/roles?filter[search]=of%20own@')).body.data.length, 2);
    assert.equal((await client.delete(`/users/${other}`)).status, 204);
  });

  describe('invalid role requests', () => {
    const valid = { type: 'roles', attributes: { name: 'right', permissions: [] } };
    const having = (attributes: object) => ({ ...valid, attributes: { ...valid.attributes, ...attributes } });
    for (const [label, data, pointer, status = 400] of [
      ['no permissions', { ...valid, attributes: { name: 'a' } }, '/data/attributes/permissions'],
      [
        'an unknown permission',
        having({ permissions: ['manage_scans', 'all'] }),
        '/data/attributes/permissions/1',
      ],
      [
        'a single permission instead of a list',
        having({ permissions: 'manage_scans' }),
        '/data/attributes/permissions',
      ],
      ['an empty name', having({ name: '' }), '/data/attributes/name'],
      ['a name with a line break', having({ name: 'a\nb' }), '/data/attributes/name'],
      ['a name with an unpaired surrogate', having({ name: 'a\ud800' }), '/data/attributes/name'],
      ['an unknown attribute', having({ users: 3 }), '/data/attributes/users'],
      ['relationships', { ...valid, relationships: {} }, '/data/relationships'],
      ['the wrong resource type', { ...valid, type: 'users' }, '/data/type', 409],
    ] as const) {
      it(`returns ${status} with the pointer ${pointer} for a role document with ${label}`, async () => {
        const responses = [await client.document('POST', '/roles', data)];
        if (label !== 'no permissions')
          responses.push(await client.document('PATCH', `/roles/${adminRole}`, { ...data, id: adminRole }));
        for (const response of responses)
          assert.deepEqual([response.status, response.body.errors[0]?.source], [status, { pointer }]);
      });
    }

    it('returns 409 for a role document with the ID of another role', async () => {
      const response = await client.document('PATCH', `/roles/${adminRole}`, {
        type: 'roles',
        id: UNKNOWN_ID,
      });
      assert.deepEqual([response.status, response.body.errors[0]?.source], [409, { pointer: '/data/id' }]);
    });

    it("returns 404 for an unknown role or another tenant's role", async () => {
      const { id } = await made('hidden');
      for (const response of [
        await second.client.get(`/roles/${id}`),
        await second.client.delete(`/roles/${id}`),
        await patch(id, {}, second.client),
      ])
        assertRefused(response, NOT_FOUND);
      for (const invalidId of [UNKNOWN_ID, 'x'])
        assertRefused(await client.get(`/roles/${invalidId}`), NOT_FOUND);
      const foreign = await second.client.get<Role[]>('/roles');
      assert.deepEqual(
        foreign.body.data.map(({ attributes }) => attributes.name),
        ['Permissions of second@example.com'],
      );
    });

    it('returns 401 from all role endpoints for an API key without manage_users', async () => {
      const restricted = await restrictedTo(['manage_account']);
      for (const [method, path] of [
        ['GET', '/roles'],
        ['POST', '/roles'],
        ['GET', `/roles/${adminRole}`],
        ['PATCH', `/roles/${adminRole}`],
        ['DELETE', `/roles/${adminRole}`],
      ] as const)
        assert.equal((await restricted.send(path, { method })).status, 401, method);
    });
  });
});
