import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  created,
  keyOf,
  makeKey,
  PERMISSIONS,
  postRole,
  postUser,
  rolesOf,
  UNKNOWN_ID,
} from '../../support/access-resources.ts';
import { type Client, createClient } from '../../support/client.ts';
import { countEvents } from '../../support/count-events.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { assertRefused } from '../../support/refusal.ts';
import { createSecondTenant, type SecondTenant } from '../../support/second-tenant.ts';

const NOT_FOUND = { status: 404, code: 'not_found', detail: /^No user has this ID\.$/ };

describe('invalid user requests', () => {
  let service: SharedService;
  let client: Client;
  let second: SecondTenant;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
    second = await createSecondTenant(service);
  });
  after(() => service.leave());

  const made = async (email: string, roles: readonly string[] = []) =>
    created(await postUser(client, email, roles));

  const valid = { type: 'users', attributes: { email: 'right@example.com' } };
  const theirRole = async () =>
    (await service.ownerSql<{ id: string }>('select id from roles where tenant_id = $1', [second.id]))[0]?.id;
  for (const [label, data, pointer, status = 400] of [
    ['no email', { ...valid, attributes: {} }, '/data/attributes/email'],
    ['an invalid email', { ...valid, attributes: { email: 'a@b' } }, '/data/attributes/email'],
    [
      'an email with U+0000',
      { ...valid, attributes: { email: 'a\0@example.com' } },
      '/data/attributes/email',
    ],
    [
      'an email that is too long',
      { ...valid, attributes: { email: `a@${'b'.repeat(250)}.com` } },
      '/data/attributes/email',
    ],
    [
      'permissions',
      { ...valid, attributes: { email: 'a@example.com', permissions: PERMISSIONS } },
      '/data/attributes/permissions',
    ],
    [
      'a single role instead of a list',
      { ...valid, relationships: { roles: { data: null } } },
      '/data/relationships/roles/data',
    ],
    [
      'a role relationship with the wrong resource type',
      { ...valid, relationships: { roles: { data: [{ type: 'users', id: UNKNOWN_ID }] } } },
      '/data/relationships/roles/data/0/type',
    ],
    [
      'an unknown role',
      { ...valid, relationships: rolesOf([UNKNOWN_ID]) },
      '/data/relationships/roles/data/0',
      404,
    ],
    ['the wrong resource type', { ...valid, type: 'roles' }, '/data/type', 409],
    ['an ID', { ...valid, id: UNKNOWN_ID }, '/data/id', 409],
    ['an unknown member', { ...valid, links: {} }, '/data/links'],
  ] as const) {
    it(`returns ${status} with the pointer ${pointer} for a user document with ${label}`, async () => {
      const before = await countEvents(service);
      const { status: given, body } = await client.document('POST', '/users', data);
      assert.deepEqual([given, body.errors[0]?.source], [status, { pointer }]);
      assert.equal(await countEvents(service), before);
    });
  }

  it("returns the same 404 for a user with another tenant's role as for an unknown role", async () => {
    const id = (await theirRole()) ?? '';
    const [foreign, unknown] = [
      await postUser(client, 'a@example.com', [id]),
      await postUser(client, 'a@example.com', [UNKNOWN_ID]),
    ];
    assert.deepEqual([foreign.status, foreign.body.errors[0]?.detail], [404, 'No role has this ID.']);
    assert.deepEqual(foreign.body.errors[0]?.source, unknown.body.errors[0]?.source);
  });

  it('returns 409 for a user document with the ID of another user', async () => {
    const { id } = await made('other@example.com');
    const { status, body } = await client.document('PATCH', `/users/${id}`, {
      type: 'users',
      id: UNKNOWN_ID,
    });
    assert.deepEqual([status, body.errors[0]?.source], [409, { pointer: '/data/id' }]);
  });

  it("returns 404 for an unknown user or another tenant's user", async () => {
    const { id } = await made('hidden@example.com');
    for (const method of ['GET', 'DELETE'])
      assertRefused(await second.client.send(`/users/${id}`, { method }), NOT_FOUND);
    assertRefused(await second.client.document('PATCH', `/users/${id}`, { type: 'users', id }), NOT_FOUND);
    for (const invalidId of [UNKNOWN_ID, 'x']) {
      assertRefused(await client.get(`/users/${invalidId}`), NOT_FOUND);
      assertRefused(await client.delete(`/users/${invalidId}`), NOT_FOUND);
    }
    assert.equal((await client.get(`/users/${id}`)).status, 200);
  });

  it('returns 401 or 403 from all user endpoints without manage_users', async () => {
    const { id: scans } = created(await postRole(client, 'scans', ['manage_scans']));
    const { id } = await made('reader@example.com', [scans]);
    const plain = client.as(await keyOf(client, id));
    const wanted = { name: 'a', permissions: ['manage_account'] };
    const restricted = client.as((await makeKey(client, wanted)).key);
    for (const [method, path] of [
      ['GET', '/users'],
      ['POST', '/users'],
      ['GET', `/users/${id}`],
      ['PATCH', `/users/${id}`],
      ['DELETE', `/users/${id}`],
    ] as const) {
      assert.equal((await restricted.send(path, { method })).status, 401, method);
      // The key is restricted to permissions without manage_users.
      assert.equal((await plain.send(path, { method })).status, 401, method);
    }
    await service.sql('update api_keys set permissions = null where user_id = $1', [id]);
    assert.equal((await plain.get('/users')).status, 403);
  });
});
