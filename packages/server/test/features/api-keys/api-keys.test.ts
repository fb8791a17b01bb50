import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parseApiKey } from '../../../src/auth/api-keys.ts';
import {
  type ApiKey,
  type KeyAttributes,
  makeKey,
  postKey,
  UNKNOWN_ID,
} from '../../support/access-resources.ts';
import { type Client, createClient } from '../../support/client.ts';
import { countEvents } from '../../support/count-events.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { createKey, createUser } from '../../support/operator.ts';
import { assertRefused } from '../../support/refusal.ts';
import { createSecondTenant, type SecondTenant } from '../../support/second-tenant.ts';
import { TIMESTAMP } from '../../support/timestamp.ts';

const NOT_FOUND = { status: 404, code: 'not_found', detail: /^No API key has this ID\.$/ };

describe('API keys', () => {
  let service: SharedService;
  let client: Client;
  let second: SecondTenant;
  let adminId: string;
  /** Has manage_account and manage_scans, but not manage_users. */
  let accountant: { id: string; key: string };
  /** Has only manage_scans. */
  let reader: { id: string; key: string };
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
    second = await createSecondTenant(service);
    [accountant, reader] = await Promise.all([
      userWithKey('accountant@example.com', 'manage_account,manage_scans'),
      userWithKey('reader@example.com', 'manage_scans'),
    ]);
    const [admin] = await service.sql<{ id: string }>(`select id from users where email = 'admin@localhost'`);
    adminId = admin?.id ?? '';
  });
  after(() => service.leave());

  async function userWithKey(email: string, permissions: string) {
    const { id } = await createUser(service, service.tenantId, email, permissions);
    return { id, key: await createKey(service, service.tenantId, email) };
  }
  type By = { key?: string; user?: string };
  const post = (attributes: KeyAttributes, { key = service.key, user }: By = {}) =>
    postKey(client.as(key), attributes, user);
  const made = (attributes: KeyAttributes, { key = service.key, user }: By = {}) =>
    makeKey(client.as(key), attributes, user);

  describe('creation', () => {
    it('returns the secret of a new API key only once, accepts the key immediately, and links to it', async () => {
      const response = await post({ name: 'Shop CI', expires_at: '2127-01-31T12:00:00.5+02:00' });
      assert.equal(response.status, 201);
      const { attributes, relationships, ...resource } = response.body.data;
      const { key = '', ...shown } = attributes;
      assert.ok(parseApiKey(key));
      assert.match(shown.inserted_at, TIMESTAMP);
      assert.deepEqual(shown, {
        prefix: key.split('.')[0],
        name: 'Shop CI',
        permissions: null,
        inserted_at: shown.inserted_at,
        expires_at: '2127-01-31T10:00:00.500000Z',
        revoked_at: null,
        last_used_at: null,
      });
      assert.deepEqual(relationships, { user: { data: { type: 'users', id: adminId } } });
      assert.equal(response.headers.get('location'), `${service.url}/api/v1/api-keys/${resource.id}`);
      assert.equal(response.headers.get('location'), resource.links.self);

      const again = await client.as(key).get<ApiKey>(`/api-keys/${resource.id}`);
      assert.equal(again.status, 200);
      assert.deepEqual(again.body.data, { ...resource, attributes: shown, relationships });
    });

    it('restricts an API key to the permissions that it was created with', async () => {
      const { key, attributes } = await made({
        name: 'narrow',
        permissions: ['manage_scans', 'manage_account'],
      });
      assert.deepEqual(attributes.permissions, ['manage_account', 'manage_scans']);
      assert.equal((await client.as(key).get('/api-keys')).status, 200);
      assert.equal((await client.as(key).get('/users')).status, 401);
      const { key: none } = await made({ name: 'nothing', permissions: [] });
      assert.equal((await client.as(none).get('/api-keys')).status, 401);
    });

    it('restricts API keys that are created with a restricted key, through several generations', async () => {
      const parent = await made({
        name: 'parent',
        permissions: ['manage_account', 'manage_scans', 'manage_users'],
      });
      const child = await made({ name: 'child' }, { key: parent.key });
      assert.deepEqual(child.attributes.permissions, parent.attributes.permissions);
      const fewer = { name: 'grandchild', permissions: ['manage_account'] };
      const grandchild = await made(fewer, { key: child.key });
      assert.deepEqual(grandchild.attributes.permissions, ['manage_account']);
      for (const key of [child.key, grandchild.key]) {
        assertRefused(
          await post({ name: 'more', permissions: ['manage_account', 'manage_billing'] }, { key }),
          {
            status: 403,
            code: 'permission_denied',
            detail: /cannot grant .*manage_billing/,
            source: { pointer: '/data/attributes/permissions' },
          },
        );
      }
      const last = await made({ name: 'last' }, { key: grandchild.key });
      assert.deepEqual(last.attributes.permissions, ['manage_account']);
    });

    it("creates only restricted API keys with a restricted key, even if the key has all of its user's permissions", async () => {
      const { key } = await made(
        { name: 'all permissions of the user', permissions: ['manage_account', 'manage_scans'] },
        accountant,
      );
      assert.deepEqual((await made({ name: 'copy' }, { key })).attributes.permissions, [
        'manage_account',
        'manage_scans',
      ]);
      assert.equal((await made({ name: 'own' }, { key: accountant.key })).attributes.permissions, null);
    });

    it('rejects a new API key with a permission that its user lacks', async () => {
      assertRefused(await post({ name: 'a', permissions: ['manage_users'] }, { key: accountant.key }), {
        status: 403,
        code: 'permission_denied',
        detail: /manage_users/,
        source: { pointer: '/data/attributes/permissions' },
      });
    });

    it('requires manage_users to create an API key for another user', async () => {
      assertRefused(await post({ name: 'a' }, { key: accountant.key, user: reader.id }), {
        status: 403,
        code: 'permission_denied',
        detail: /manage_users/,
        source: { pointer: '/data/relationships/user/data' },
      });
      const restricted = await made({ name: 'no users', permissions: ['manage_account', 'manage_scans'] });
      assert.equal((await post({ name: 'a' }, { key: restricted.key, user: reader.id })).status, 403);
      assert.equal((await post({ name: 'a' }, { key: accountant.key, user: accountant.id })).status, 201);
    });

    it('restricts an API key for another user to the permissions that both users have', async () => {
      const { key, attributes, relationships } = await made({ name: 'reader key' }, { user: reader.id });
      assert.equal(relationships.user.data.id, reader.id);
      assert.deepEqual(attributes.permissions, ['manage_scans']);
      assert.equal((await client.as(key).get('/api-keys')).status, 401);

      const maker = await made({ name: 'maker', permissions: ['manage_account', 'manage_users'] });
      const bound = await made({ name: 'b' }, { key: maker.key, user: accountant.id });
      assert.deepEqual(bound.attributes.permissions, ['manage_account']);
      assertRefused(await post({ name: 'b', permissions: ['manage_billing'] }, { user: reader.id }), {
        status: 400,
        code: 'invalid_permissions',
        detail: /The key's user lacks manage_billing/,
        source: { pointer: '/data/attributes/permissions' },
      });
    });
  });

  it('requires manage_account to manage API keys', async () => {
    const restricted = await made({ name: 'n', permissions: ['manage_users'] });
    for (const [method, path] of [
      ['GET', '/api-keys'],
      ['GET', `/api-keys/${restricted.id}`],
      ['POST', '/api-keys'],
      ['DELETE', `/api-keys/${restricted.id}`],
    ] as const) {
      assert.equal((await client.as(reader.key).send(path, { method })).status, 403, method);
      assert.equal((await client.as(restricted.key).send(path, { method })).status, 401, method);
      assert.equal((await client.as('none').send(path, { method })).status, 401, method);
    }
  });

  describe('revocation', () => {
    it('rejects a revoked API key, and keeps the time of its first revocation', async () => {
      const { id, key, attributes } = await made({ name: 'short life' });
      assert.equal((await client.as(key).get('/api-keys')).status, 200);
      const before = await countEvents(service);
      assert.equal((await client.delete(`/api-keys/${id}`)).status, 204);
      assert.equal((await client.as(key).get('/api-keys')).status, 401);
      const first = (await client.get<ApiKey>(`/api-keys/${id}`)).body.data;
      assert.match(first.attributes.revoked_at ?? '', TIMESTAMP);
      assert.deepEqual({ ...first.attributes, revoked_at: null, key }, attributes);
      assert.equal((await client.delete(`/api-keys/${id}`)).status, 204);
      assert.deepEqual((await client.get<ApiKey>(`/api-keys/${id}`)).body.data, first);
      assert.equal(await countEvents(service), before + 1);
    });

    it('lets an API key revoke itself', async () => {
      const { id, key } = await made({ name: 'itself' });
      assert.equal((await client.as(key).delete(`/api-keys/${id}`)).status, 204);
      assert.equal((await client.as(key).get('/api-keys')).status, 401);
    });

    it('prevents other tenants from revoking an API key', async () => {
      const { id, key } = await made({ name: 'safe' });
      for (const method of ['GET', 'DELETE']) {
        assertRefused(await second.client.send(`/api-keys/${id}`, { method }), NOT_FOUND);
        for (const invalidId of [UNKNOWN_ID, 'x'])
          assertRefused(await client.send(`/api-keys/${invalidId}`, { method }), NOT_FOUND);
      }
      assert.equal((await client.as(key).get('/api-keys')).status, 200);
      const foreign = await second.client.get<ApiKey[]>('/api-keys?filter[search]=safe');
      assert.deepEqual([foreign.status, foreign.body.data], [200, []]);
      assert.equal((await second.client.get<ApiKey[]>('/api-keys')).body.meta.pagination.count, 1);
    });
  });
});
