import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { postKey, UNKNOWN_ID } from '../../support/access-resources.ts';
import { type Client, createClient, DOCUMENT_TYPE } from '../../support/client.ts';
import { countEvents } from '../../support/count-events.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { createSecondTenant } from '../../support/second-tenant.ts';

describe('invalid API key requests', () => {
  let service: SharedService;
  let client: Client;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
  });
  after(() => service.leave());

  const countKeys = async () =>
    (await service.sql<{ count: number }>('select count(*)::int as count from api_keys'))[0]?.count;
  const valid = { type: 'api-keys', attributes: { name: 'right' } };
  const user = (data: unknown) => ({ ...valid, relationships: { user: { data } } });
  for (const [label, data, pointer, status = 400] of [
    ['no name', { ...valid, attributes: {} }, '/data/attributes/name'],
    ['a blank name', { ...valid, attributes: { name: ' \u2003' } }, '/data/attributes/name'],
    ['a name with U+0000', { ...valid, attributes: { name: 'a\0' } }, '/data/attributes/name'],
    [
      'a name of 101 characters',
      { ...valid, attributes: { name: 'a'.repeat(101) } },
      '/data/attributes/name',
    ],
    ['an unknown attribute', { ...valid, attributes: { name: 'a', key: 'sk_' } }, '/data/attributes/key'],
    ['an unknown member', { ...valid, meta: {} }, '/data/meta'],
    ['an unknown relationship', { ...valid, relationships: { roles: {} } }, '/data/relationships/roles'],
    [
      'an unknown permission',
      { ...valid, attributes: { name: 'a', permissions: ['manage_all'] } },
      '/data/attributes/permissions/0',
    ],
    [
      'null permissions',
      { ...valid, attributes: { name: 'a', permissions: null } },
      '/data/attributes/permissions',
    ],
    [
      'an expiry in the past',
      { ...valid, attributes: { name: 'a', expires_at: '2026-01-01T00:00:00Z' } },
      '/data/attributes/expires_at',
    ],
    [
      'an expiry without a time zone',
      { ...valid, attributes: { name: 'a', expires_at: '2127-01-01T00:00:00' } },
      '/data/attributes/expires_at',
    ],
    [
      'an expiry on a nonexistent date',
      { ...valid, attributes: { name: 'a', expires_at: '2127-02-30T00:00:00Z' } },
      '/data/attributes/expires_at',
    ],
    [
      'an expiry beyond the year 9999',
      { ...valid, attributes: { name: 'a', expires_at: '9999-12-31T23:59:59-23:00' } },
      '/data/attributes/expires_at',
    ],
    [
      'a user relationship with the wrong resource type',
      user({ type: 'roles', id: UNKNOWN_ID }),
      '/data/relationships/user/data/type',
    ],
    ['a user ID that is not a UUID', user({ type: 'users', id: 'me' }), '/data/relationships/user/data/id'],
    ['an unknown user', user({ type: 'users', id: UNKNOWN_ID }), '/data/relationships/user/data', 404],
    ['the wrong resource type', { ...valid, type: 'users' }, '/data/type', 409],
    ['an ID', { ...valid, id: UNKNOWN_ID }, '/data/id', 409],
  ] as const) {
    it(`returns ${status} with the pointer ${pointer} for a new API key with ${label}`, async () => {
      const before = [await countEvents(service), await countKeys()];
      const response = await client.document('POST', '/api-keys', data);
      const { source } = response.body.errors[0] ?? {};
      assert.deepEqual([response.status, source], [status, { pointer }]);
      assert.deepEqual([await countEvents(service), await countKeys()], before);
    });
  }

  it("returns the same 404 for a new API key for another tenant's user as for an unknown user", async () => {
    const second = await createSecondTenant(service);
    const [foreignUser] = await service.ownerSql<{ id: string }>(
      'select id from users where tenant_id = $1',
      [second.id],
    );
    const response = await postKey(client, { name: 'a' }, foreignUser?.id ?? '');
    assert.equal(response.status, 404);
    assert.equal(response.body.errors[0]?.detail, 'No user has this ID.');
  });

  it('rejects a request for a new API key that has an unsupported media type or malformed JSON', async () => {
    const statusOf = async (body: string, type: string) =>
      (await client.send('/api-keys', { method: 'POST', body, headers: { 'content-type': type } })).status;
    assert.equal(await statusOf(JSON.stringify({ data: valid }), 'application/json'), 415);
    assert.equal(await statusOf('{', DOCUMENT_TYPE), 400);
  });
});
