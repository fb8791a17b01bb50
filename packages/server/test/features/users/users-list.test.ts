import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { created, postRole, postUser, UNKNOWN_ID, type User } from '../../support/access-resources.ts';
import { type Client, createClient } from '../../support/client.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { createSecondTenant } from '../../support/second-tenant.ts';
import { itRefusesQueries } from '../../support/wrong-queries.ts';

describe('the users list', () => {
  let service: SharedService;
  let client: Client;
  let roles: { scans: string; scansAndBilling: string; nothing: string };
  let three: User[];
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
    // Another tenant has a user with this email.
    await createSecondTenant(service);
    await made('second@example.com');
    roles = {
      scans: await role('scans', ['manage_scans']),
      scansAndBilling: await role('scansAndBilling', ['manage_scans', 'manage_billing']),
      nothing: await role('nothing', []),
    };
    three = [
      await made('Zoe.listed@example.com', roles.scans, roles.nothing),
      await made('adam.listed@example.com', roles.scansAndBilling),
      await made('Bea_listed@example.com', roles.nothing),
    ];
  });
  after(() => service.leave());

  const role = async (name: string, permissions: string[]) =>
    created(await postRole(client, name, permissions)).id;
  const made = async (email: string, ...roles: string[]) => created(await postUser(client, email, roles));

  const listed = async (query: string) =>
    (await client.get<User[]>(`/users?filter[search]=listed&${query}`)).body.data.map(({ attributes }) =>
      attributes.email?.slice(0, 3),
    );

  it('sorts users by email by default, or by the requested key', async () => {
    assert.deepEqual(await listed(''), ['ada', 'Bea', 'Zoe']);
    assert.deepEqual(await listed('sort=-email'), ['Zoe', 'Bea', 'ada']);
    assert.deepEqual(await listed('sort=inserted_at'), ['Zoe', 'ada', 'Bea']);
    assert.deepEqual(await listed('sort=-inserted_at'), ['Bea', 'ada', 'Zoe']);
  });

  it('filters users by role, email and search text', async () => {
    assert.deepEqual(await listed(`filter[role]=${roles.nothing}`), ['Bea', 'Zoe']);
    assert.deepEqual(await listed(`filter[role]=${UNKNOWN_ID}`), []);
    assert.deepEqual(await listed('filter[email]=ZOE.listed@example.com'), ['Zoe']);
    assert.deepEqual(await listed('filter[email]=zoe'), []);
    const search = async (text: string) =>
      (await client.get<User[]>(`/users?filter[search]=${text}`)).body.data.map(({ id }) => id);
    assert.deepEqual(await search('bea_l'), [three[2]?.id]);
    assert.deepEqual(await search(three[1]?.id ?? ''), [three[1]?.id]);
    assert.deepEqual(await search('second@example.com').then(({ length }) => length), 1);
  });

  it('includes each role of the listed users once, and only on request', async () => {
    const { body } = await client.get<User[]>(
      '/users?filter[search]=listed&include=roles&fields[roles]=name',
    );
    const names = body.included?.map(({ type, attributes }) =>
      [type, Object.keys(attributes), attributes.name].join(),
    );
    assert.deepEqual(names?.sort(), ['roles,name,nothing', 'roles,name,scans', 'roles,name,scansAndBilling']);
    const one = await client.get<User>(`/users/${three[1]?.id}?include=roles&fields[users]=email`);
    assert.deepEqual(
      one.body.included?.map(({ id }) => id),
      [roles.scansAndBilling],
    );
    assert.deepEqual(one.body.data.attributes, { email: 'adam.listed@example.com' });
    assert.ok(!('included' in (await client.get(`/users/${three[1]?.id}`)).body));
  });

  itRefusesQueries('/users', () => client, [
    ['an unknown filter', 'filter[name]=a', 'filter[name]'],
    ['a role ID that is not a UUID', 'filter[role]=admin', 'filter[role]'],
    ['an unknown sort key', 'sort=permissions', 'sort'],
    ['an unknown include value', 'include=user', 'include'],
    ['an unknown field', 'fields[users]=password', 'fields[users]'],
    ['an unknown parameter', 'limit=1', 'limit'],
  ]);
});
