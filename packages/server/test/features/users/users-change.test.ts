import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type ApiKey,
  created,
  keyOf,
  PERMISSIONS,
  postRole,
  postUser,
  rolesOf,
  UNKNOWN_ID,
  type User,
} from '../../support/access-resources.ts';
import { type Client, createClient } from '../../support/client.ts';
import { countEvents } from '../../support/count-events.ts';
import { assertRefused } from '../../support/refusal.ts';
import { createSecondTenant } from '../../support/second-tenant.ts';
import { type Service, startService } from '../../support/service.ts';
import { TIMESTAMP } from '../../support/timestamp.ts';

const NOT_FOUND = { status: 404, code: 'not_found', detail: /^No user has this ID\.$/ };
const LAST_HOLDER = {
  status: 409,
  code: 'last_holder',
  detail:
    /^No user would have .*manage_users, manage_account.* after this change\. Grant them to another user first\.$/,
};

describe('users', () => {
  let service: Service;
  let client: Client;
  let admin: { id: string; role: string };
  /** Has only manage_users and manage_scans. */
  let clerk: Client;
  const roles: Record<string, string> = {};
  before(async () => {
    service = await startService({ SLUICE_WORKERS: '1' });
    client = createClient(service.url, service.key);
    await createSecondTenant(service);
    const [found] = await service.sql<{ id: string; role: string }>(
      `select user_id as id, role_id as role from user_roles where tenant_id = $1`,
      [service.tenantId],
    );
    assert.ok(found !== undefined);
    admin = found;
    for (const [name, permissions] of Object.entries({
      scans: ['manage_scans'],
      scansAndBilling: ['manage_scans', 'manage_billing'],
      clerk: ['manage_users', 'manage_scans'],
      nothing: [],
    }))
      roles[name] = created(await postRole(client, name, permissions)).id;
    clerk = client.as(await keyOf(client, (await made('clerk@example.com', ['clerk'])).id));
  });
  after(() => service.remove());

  const idsOf = (names: readonly string[]) => names.map((name) => roles[name] ?? name);
  const withRoles = (names: readonly string[]) => rolesOf(idsOf(names));
  const post = (email: string, names: readonly string[], as = client) => postUser(as, email, idsOf(names));
  const patch = (id: string, changes: object, as = client) =>
    as.document<User>('PATCH', `/users/${id}`, { type: 'users', id, ...changes });
  const get = async (id: string) => (await client.get<User>(`/users/${id}`)).body.data;
  const made = async (email: string, names: readonly string[] = []) => created(await post(email, names));

  describe('creating users', () => {
    it('creates a user with the combined permissions of its roles, and returns a Location header', async () => {
      const response = await post('Sum@Example.com', ['scansAndBilling', 'clerk', 'nothing', 'clerk']);
      assert.equal(response.status, 201);
      const { data } = response.body;
      assert.deepEqual(data.attributes, {
        email: 'Sum@Example.com',
        permissions: ['manage_users', 'manage_billing', 'manage_scans'],
        inserted_at: data.attributes.inserted_at,
      });
      assert.match(data.attributes.inserted_at, TIMESTAMP);
      const given = [roles.scansAndBilling, roles.clerk, roles.nothing].sort();
      assert.deepEqual(
        data.relationships.roles.data,
        given.map((id) => ({ type: 'roles', id })),
      );
      assert.equal(response.headers.get('location'), `${service.url}/api/v1/users/${data.id}`);
      assert.deepEqual(await get(data.id), data);
    });

    it('grants no permissions to a user without roles', async () => {
      const data = { type: 'users', attributes: { email: 'nobody@example.com' } };
      const { status, body } = await client.document<User>('POST', '/users', data);
      assert.deepEqual([status, body.data.attributes.permissions], [201, []]);
      assert.equal((await client.as(await keyOf(client, body.data.id)).get('/users')).status, 401);
    });

    it('returns 409 for an email that is in use, regardless of case and even with concurrent requests', async () => {
      await made('taken@example.com');
      const taken = { status: 409, code: 'email_taken', source: { pointer: '/data/attributes/email' } };
      for (const email of ['taken@example.com', 'Taken@EXAMPLE.com'])
        assertRefused(await post(email, []), { ...taken, detail: /taken@example\.com/i });
      const racing = ['race@example.com', 'RACE@example.com', 'Race@example.com'];
      const responses = await Promise.all(racing.map((email) => post(email, [])));
      assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 409, 409]);
    });

    it("accepts the email of another tenant's user", async () => {
      assert.equal((await made('second@example.com')).attributes.email, 'second@example.com');
    });

    it('rejects a new user with a role whose permissions the caller lacks', async () => {
      assertRefused(await post('more@example.com', ['scans', 'scansAndBilling'], clerk), {
        status: 403,
        code: 'permission_denied',
        detail: /cannot grant manage_billing/,
        source: { pointer: '/data/relationships/roles/data/1' },
      });
      assert.equal((await post('less@example.com', ['scans', 'nothing'], clerk)).status, 201);
    });
  });

  describe('changing users', () => {
    it('updates only the given fields of a user', async () => {
      const { id, attributes } = await made('before@example.com', ['scans']);
      const renamed = await patch(id, { attributes: { email: 'after@example.com' } });
      assert.equal(renamed.status, 200);
      assert.deepEqual(renamed.body.data.attributes, { ...attributes, email: 'after@example.com' });
      const other = await patch(id, { relationships: withRoles(['nothing', 'clerk']) });
      assert.deepEqual(other.body.data.attributes.permissions, ['manage_users', 'manage_scans']);
      assert.equal(other.body.data.attributes.email, 'after@example.com');
      assert.deepEqual(await get(id), other.body.data);
      assert.equal((await patch(id, { attributes: { email: 'AFTER@example.com' } })).status, 200);
      const nothing = await patch(id, { relationships: withRoles([]) });
      assert.deepEqual(nothing.body.data.attributes.permissions, []);
    });

    it('changes nothing and records no audit event for an empty user update', async () => {
      const user = await made('idle@example.com', ['scans']);
      const before = await countEvents(service);
      for (const changes of [{}, { attributes: {} }, { relationships: {} }])
        assert.deepEqual((await patch(user.id, changes)).body.data, user);
      assert.equal(await countEvents(service), before);
    });

    it("applies a user's new roles to the next request", async () => {
      const { id } = await made('promoted@example.com', ['clerk']);
      const key = await keyOf(client, id);
      assert.equal((await client.as(key).get('/users')).status, 200);
      await patch(id, { relationships: withRoles(['scans']) });
      assert.equal((await client.as(key).get('/users')).status, 403);
    });

    it('lets a caller keep, but neither add nor remove, a role whose permissions the caller lacks', async () => {
      const { id } = await made('kept@example.com', ['scansAndBilling']);
      const more = await patch(id, { relationships: withRoles(['scansAndBilling', 'scans']) }, clerk);
      assert.equal(more.status, 200);
      const lacks = (verb: string) => ({
        status: 403,
        code: 'permission_denied',
        detail: new RegExp(`cannot ${verb} manage_billing`),
      });
      assertRefused(await patch(id, { relationships: withRoles(['scans']) }, clerk), {
        ...lacks('revoke'),
        source: { pointer: '/data/relationships/roles/data' },
      });
      assertRefused(await clerk.delete(`/users/${id}`), lacks('revoke'));
      assert.deepEqual((await get(id)).attributes.permissions, ['manage_scans', 'manage_billing'].sort());
      await patch(id, { relationships: withRoles(['scans']) });
      const again = await patch(id, { relationships: withRoles(['scansAndBilling']) }, clerk);
      assertRefused(again, { ...lacks('grant'), source: { pointer: '/data/relationships/roles/data/0' } });
      assert.deepEqual((await get(id)).attributes.permissions, ['manage_scans']);
    });

    it('prevents users from granting themselves permissions', async () => {
      const [user] = (await client.get<User[]>('/users?filter[email]=clerk@example.com')).body.data;
      const raised = { relationships: withRoles(['clerk', admin.role]) };
      assert.equal((await patch(user?.id ?? '', raised, clerk)).status, 403);
    });

    it('rejects a user update with an email that is in use or an unknown role, and changes nothing', async () => {
      const { id } = await made('mine@example.com', ['scans']);
      await made('yours@example.com');
      const before = await countEvents(service);
      const conflicting = { attributes: { email: 'YOURS@example.com' }, relationships: withRoles([]) };
      assert.equal((await patch(id, conflicting)).body.errors[0]?.code, 'email_taken');
      const half = { attributes: { email: 'new@example.com' }, relationships: withRoles([UNKNOWN_ID]) };
      assert.equal((await patch(id, half)).status, 404);
      const { attributes } = await get(id);
      assert.deepEqual([attributes.email, attributes.permissions], ['mine@example.com', ['manage_scans']]);
      assert.equal(await countEvents(service), before);
    });
  });

  describe('deleting users', () => {
    it('deletes a user and its API keys, and lists the revoked keys in the audit event', async () => {
      const { id } = await made('leaving@example.com', ['clerk']);
      const [key, revoked] = [await keyOf(client, id), await keyOf(client, id)];
      const [used] = (await client.get<ApiKey[]>(`/api-keys?filter[search]=${revoked.split('.')[0]}`)).body
        .data;
      await client.delete(`/api-keys/${used?.id}`);
      assert.equal((await client.as(key).get('/users')).status, 200);
      assert.equal((await client.delete(`/users/${id}`)).status, 204);
      assert.equal((await client.as(key).get('/users')).status, 401);
      assertRefused(await client.get(`/users/${id}`), NOT_FOUND);
      assertRefused(await client.delete(`/users/${id}`), NOT_FOUND);
      assert.deepEqual((await client.get<ApiKey[]>(`/api-keys?filter[user]=${id}`)).body.data, []);
      const path = `/audit-events?filter[action]=user.deleted&filter[target_id]=${id}`;
      const [event] = (await client.get<{ attributes: { changes: object } }[]>(path)).body.data;
      assert.deepEqual(event?.attributes.changes, {
        email: 'leaving@example.com',
        revoked_keys: [key.split('.')[0]],
      });
      assert.equal((await post('Leaving@example.com', [])).status, 201);
    });

    it('lets users delete themselves', async () => {
      const { id } = await made('himself@example.com', ['clerk']);
      const key = await keyOf(client, id);
      assert.equal((await client.as(key).delete(`/users/${id}`)).status, 204);
      assert.equal((await client.as(key).get('/users')).status, 401);
    });
  });

  // This suite runs last, because it deletes data that the other tests use.
  describe('the last holder of a permission', () => {
    it('returns 409 for a change that removes the last holder of a permission', async () => {
      await service.sql('delete from users where tenant_id = $1 and id <> $2', [service.tenantId, admin.id]);
      assertRefused(await patch(admin.id, { relationships: withRoles(['scans']) }), LAST_HOLDER);
      assertRefused(await client.delete(`/users/${admin.id}`), LAST_HOLDER);
      assert.deepEqual((await get(admin.id)).attributes.permissions, PERMISSIONS);

      roles.usersOnly = created(await postRole(client, 'users only', ['manage_users'])).id;
      await made('users.only@example.com', ['usersOnly']);
      assertRefused(await client.delete(`/users/${admin.id}`), {
        ...LAST_HOLDER,
        detail: /^No user would have .*manage_account.* after this change\. /,
      });
      await made('deputy@example.com', [admin.role]);
      assert.equal((await patch(admin.id, { relationships: withRoles(['scans']) })).status, 200);
    });

    it('prevents concurrent deletions from removing the last two holders of a permission', async () => {
      await service.sql('insert into user_roles values ($1, $2, $3)', [
        service.tenantId,
        admin.id,
        admin.role,
      ]);
      const [deputy] = (await client.get<User[]>('/users?filter[email]=deputy@example.com')).body.data;
      assert.ok(deputy !== undefined);
      // Delays the commit of each deletion until the other request has run its check.
      await service.sql(`
        create function linger() returns trigger language plpgsql as $$
        begin perform pg_sleep(0.5); return null; end $$;
        create constraint trigger linger after delete on users deferrable initially deferred
          for each row execute function linger()`);
      const key = await keyOf(client, deputy.id);
      const responses = await Promise.all([
        client.delete(`/users/${deputy.id}`),
        client.as(key).delete(`/users/${admin.id}`),
      ]);
      assert.deepEqual(responses.map(({ status }) => status).sort(), [204, 409]);
    });
  });
});
