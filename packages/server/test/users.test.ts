import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient } from './support/client.ts';
import { assertRefused } from './support/refusal.ts';
import { createSecondTenant, type SecondTenant } from './support/second-tenant.ts';
import { type Service, startService } from './support/service.ts';

interface Resource {
  readonly type: string;
  readonly id: string;
  readonly attributes: {
    readonly email?: string;
    readonly name?: string;
    readonly permissions: string[];
    readonly inserted_at: string;
    readonly key?: string;
    readonly changes?: Record<string, unknown>;
  };
  readonly relationships: { readonly roles: { readonly data: { type: string; id: string }[] } };
  readonly links: { readonly self: string };
}

const UNKNOWN = '0198a000-0000-7000-8000-000000000000';
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const ALL = [
  'manage_ingestions',
  'manage_providers',
  'manage_users',
  'manage_account',
  'manage_billing',
  'manage_scans',
];
const NOT_FOUND = { status: 404, code: 'not_found', detail: /^There is no user with this id$/ };
const LAST_MANAGER = {
  status: 409,
  code: 'last_manager',
  detail:
    /^No user would have the permission manage_users and manage_account any more; give it to another user first$/,
};

describe('users', () => {
  let service: Service;
  let client: Client;
  let second: SecondTenant;
  let admin: { id: string; role: string };
  /** Has manage_users and manage_scans only. */
  let clerk: Client;
  const roles: Record<string, string> = {};
  before(async () => {
    service = await startService();
    client = createClient(service.url, service.key);
    second = await createSecondTenant(service);
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
    })) {
      const data = { type: 'roles', attributes: { name, permissions } };
      roles[name] = (await client.document<Resource>('POST', '/roles', data)).body.data.id;
    }
    const user = await made('clerk@example.com', ['clerk']);
    clerk = client.as(await keyFor(user.id));
  });
  after(() => service.remove());

  const withRoles = (names: readonly string[]) => ({
    roles: { data: names.map((name) => ({ type: 'roles', id: roles[name] ?? name })) },
  });
  const post = (email: string, names: readonly string[], as = client) => {
    const data = { type: 'users', attributes: { email }, relationships: withRoles(names) };
    return as.document<Resource>('POST', '/users', data);
  };
  const patch = (id: string, changes: object, as = client) =>
    as.document<Resource>('PATCH', `/users/${id}`, { type: 'users', id, ...changes });
  const get = async (id: string) => (await client.get<Resource>(`/users/${id}`)).body.data;

  async function made(email: string, names: readonly string[] = []) {
    const { status, body } = await post(email, names);
    assert.equal(status, 201, JSON.stringify(body));
    return body.data;
  }

  async function keyFor(userId: string): Promise<string> {
    const relationships = { user: { data: { type: 'users', id: userId } } };
    const data = { type: 'api-keys', attributes: { name: 'test' }, relationships };
    return (await client.document<Resource>('POST', '/api-keys', data)).body.data.attributes.key ?? '';
  }

  const countEvents = async () =>
    (await service.sql<{ count: number }>('select count(*)::int as count from audit_events'))[0]?.count ?? 0;

  describe('added', () => {
    it('have the sum of what their roles allow, and an address', async () => {
      const answer = await post('Sum@Example.com', ['scansAndBilling', 'clerk', 'nothing', 'clerk']);
      assert.equal(answer.status, 201);
      const { data } = answer.body;
      assert.deepEqual(data.attributes, {
        email: 'Sum@Example.com',
        permissions: ['manage_users', 'manage_billing', 'manage_scans'],
        inserted_at: data.attributes.inserted_at,
      });
      assert.match(data.attributes.inserted_at, TIME);
      const given = [roles.scansAndBilling, roles.clerk, roles.nothing].sort();
      assert.deepEqual(
        data.relationships.roles.data,
        given.map((id) => ({ type: 'roles', id })),
      );
      assert.equal(answer.headers.get('location'), `${service.url}/api/v1/users/${data.id}`);
      assert.deepEqual(await get(data.id), data);
    });

    it('without roles may nothing', async () => {
      const data = { type: 'users', attributes: { email: 'nobody@example.com' } };
      const { status, body } = await client.document<Resource>('POST', '/users', data);
      assert.deepEqual([status, body.data.attributes.permissions], [201, []]);
      assert.equal((await client.as(await keyFor(body.data.id)).get<Resource>('/users')).status, 401);
    });

    it('are refused with 409 where the email is taken, in whatever case, and also at the same moment', async () => {
      await made('taken@example.com');
      const taken = { status: 409, code: 'email_taken', source: { pointer: '/data/attributes/email' } };
      for (const email of ['taken@example.com', 'Taken@EXAMPLE.com'])
        assertRefused(await post(email, []), { ...taken, detail: /taken@example\.com/i });
      const racing = ['race@example.com', 'RACE@example.com', 'Race@example.com'];
      const answers = await Promise.all(racing.map((email) => post(email, [])));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409]);
    });

    it('may have an email that another tenant knows', async () => {
      assert.equal((await made('second@example.com')).attributes.email, 'second@example.com');
    });

    it('cannot be given by somebody what he does not have', async () => {
      assertRefused(await post('more@example.com', ['scans', 'scansAndBilling'], clerk), {
        status: 403,
        code: 'permission_denied',
        detail: /may not give manage_billing/,
        source: { pointer: '/data/relationships/roles/data/1' },
      });
      assert.equal((await post('less@example.com', ['scans', 'nothing'], clerk)).status, 201);
    });
  });

  describe('changed', () => {
    it('have what was named changed, and the rest as it was', async () => {
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

    it('are not changed, nor is it written down, by a document that names nothing', async () => {
      const user = await made('idle@example.com', ['scans']);
      const before = await countEvents();
      for (const changes of [{}, { attributes: {} }, { relationships: {} }])
        assert.deepEqual((await patch(user.id, changes)).body.data, user);
      assert.equal(await countEvents(), before);
    });

    it('use their new roles with the next request', async () => {
      const { id } = await made('promoted@example.com', ['clerk']);
      const key = await keyFor(id);
      assert.equal((await client.as(key).get<Resource>('/users')).status, 200);
      await patch(id, { relationships: withRoles(['scans']) });
      assert.equal((await client.as(key).get<Resource>('/users')).status, 403);
    });

    it('keep a role that the one who changes them could not give, and can lose it', async () => {
      const { id } = await made('kept@example.com', ['scansAndBilling']);
      const more = await patch(id, { relationships: withRoles(['scansAndBilling', 'scans']) }, clerk);
      assert.equal(more.status, 200);
      assert.equal((await patch(id, { relationships: withRoles(['scans']) }, clerk)).status, 200);
      const again = await patch(id, { relationships: withRoles(['scansAndBilling']) }, clerk);
      assert.equal(again.status, 403);
      assert.deepEqual((await get(id)).attributes.permissions, ['manage_scans']);
    });

    it('nobody raises himself', async () => {
      const [user] = (await client.get<Resource[]>('/users?filter[email]=clerk@example.com')).body.data;
      const raised = { relationships: withRoles(['clerk', admin.role]) };
      assert.equal((await patch(user?.id ?? '', raised, clerk)).status, 403);
    });

    it('are refused with 409 for an email that is taken, and nothing of the rest is done', async () => {
      const { id } = await made('mine@example.com', ['scans']);
      await made('yours@example.com');
      const before = await countEvents();
      const wrong = { attributes: { email: 'YOURS@example.com' }, relationships: withRoles([]) };
      assert.equal((await patch(id, wrong)).body.errors[0]?.code, 'email_taken');
      const half = { attributes: { email: 'new@example.com' }, relationships: withRoles([UNKNOWN]) };
      assert.equal((await patch(id, half)).status, 404);
      const { attributes } = await get(id);
      assert.deepEqual([attributes.email, attributes.permissions], ['mine@example.com', ['manage_scans']]);
      assert.equal(await countEvents(), before);
    });
  });

  describe('asked for wrongly', () => {
    const right = { type: 'users', attributes: { email: 'right@example.com' } };
    const theirRole = async () =>
      (await service.sql<{ id: string }>('select id from roles where tenant_id = $1', [second.id]))[0]?.id;
    for (const [what, data, pointer, status = 400] of [
      ['no email', { ...right, attributes: {} }, '/data/attributes/email'],
      ['an email that is none', { ...right, attributes: { email: 'a@b' } }, '/data/attributes/email'],
      [
        'an email with U+0000',
        { ...right, attributes: { email: 'a\0@example.com' } },
        '/data/attributes/email',
      ],
      [
        'an email that is too long',
        { ...right, attributes: { email: `a@${'b'.repeat(250)}.com` } },
        '/data/attributes/email',
      ],
      [
        'permissions',
        { ...right, attributes: { email: 'a@example.com', permissions: ALL } },
        '/data/attributes/permissions',
      ],
      [
        'one role instead of a list',
        { ...right, relationships: { roles: { data: null } } },
        '/data/relationships/roles/data',
      ],
      [
        'a role of another type',
        { ...right, relationships: { roles: { data: [{ type: 'users', id: UNKNOWN }] } } },
        '/data/relationships/roles/data/0/type',
      ],
      [
        'an unknown role',
        { ...right, relationships: withRoles([UNKNOWN]) },
        '/data/relationships/roles/data/0',
        404,
      ],
      ['another type', { ...right, type: 'roles' }, '/data/type', 409],
      ['an id', { ...right, id: UNKNOWN }, '/data/id', 409],
      ['an unknown member', { ...right, links: {} }, '/data/links'],
    ] as const) {
      it(`are refused with ${status} and ${pointer} for ${what}`, async () => {
        const before = await countEvents();
        const { status: given, body } = await client.document<Resource>('POST', '/users', data);
        assert.deepEqual([given, body.errors[0]?.source], [status, { pointer }]);
        assert.equal(await countEvents(), before);
      });
    }

    it('are refused for a role of another tenant as for an unknown one', async () => {
      const id = (await theirRole()) ?? '';
      const [theirs, unknown] = [await post('a@example.com', [id]), await post('a@example.com', [UNKNOWN])];
      assert.deepEqual([theirs.status, theirs.body.errors[0]?.detail], [404, `There is no role ${id}`]);
      assert.deepEqual(theirs.body.errors[0]?.source, unknown.body.errors[0]?.source);
    });

    it('are refused for a document of another user', async () => {
      const { id } = await made('other@example.com');
      const { status, body } = await client.document<Resource>('PATCH', `/users/${id}`, {
        type: 'users',
        id: UNKNOWN,
      });
      assert.deepEqual([status, body.errors[0]?.source], [409, { pointer: '/data/id' }]);
    });

    it('are not found where they are unknown or of another tenant', async () => {
      const { id } = await made('hidden@example.com');
      for (const method of ['GET', 'DELETE'])
        assertRefused(await second.client.send(`/users/${id}`, { method }), NOT_FOUND);
      assertRefused(await second.client.document('PATCH', `/users/${id}`, { type: 'users', id }), NOT_FOUND);
      for (const wrong of [UNKNOWN, 'x']) {
        assertRefused(await client.get(`/users/${wrong}`), NOT_FOUND);
        assertRefused(await client.delete(`/users/${wrong}`), NOT_FOUND);
      }
      assert.equal((await get(id)).id, id);
    });

    it('are for those with manage_users', async () => {
      const { id } = await made('reader@example.com', ['scans']);
      const [plain, data] = [
        await keyFor(id),
        { type: 'api-keys', attributes: { name: 'a', permissions: ['manage_account'] } },
      ];
      const narrowed = (await client.document<Resource>('POST', '/api-keys', data)).body.data.attributes.key;
      for (const [method, path] of [
        ['GET', '/users'],
        ['POST', '/users'],
        ['GET', `/users/${id}`],
        ['PATCH', `/users/${id}`],
        ['DELETE', `/users/${id}`],
      ] as const) {
        assert.equal((await client.as(narrowed ?? '').send(path, { method })).status, 401, method);
        // The key is bound to what its user had.
        assert.equal((await client.as(plain).send(path, { method })).status, 401, method);
      }
      await service.sql('update api_keys set permissions = null where user_id = $1', [id]);
      assert.equal((await client.as(plain).get<Resource>('/users')).status, 403);
    });
  });

  describe('deleted', () => {
    it('are gone with their keys at once, and the event names these', async () => {
      const { id } = await made('leaving@example.com', ['clerk']);
      const [key, revoked] = [await keyFor(id), await keyFor(id)];
      const [used] = (await client.get<Resource[]>(`/api-keys?filter[search]=${revoked.split('.')[0]}`)).body
        .data;
      await client.delete(`/api-keys/${used?.id}`);
      assert.equal((await client.as(key).get<Resource>('/users')).status, 200);
      assert.equal((await client.delete(`/users/${id}`)).status, 204);
      assert.equal((await client.as(key).get<Resource>('/users')).status, 401);
      assertRefused(await client.get(`/users/${id}`), NOT_FOUND);
      assertRefused(await client.delete(`/users/${id}`), NOT_FOUND);
      assert.deepEqual((await client.get<Resource[]>(`/api-keys?filter[user]=${id}`)).body.data, []);
      const path = `/audit-events?filter[action]=user.deleted&filter[target_id]=${id}`;
      const [event] = (await client.get<Resource[]>(path)).body.data;
      assert.deepEqual(event?.attributes.changes, {
        email: 'leaving@example.com',
        revoked_keys: [key.split('.')[0]],
      });
      assert.equal((await post('Leaving@example.com', [])).status, 201);
    });

    it('by themselves, too', async () => {
      const { id } = await made('himself@example.com', ['clerk']);
      const key = await keyFor(id);
      assert.equal((await client.as(key).delete(`/users/${id}`)).status, 204);
      assert.equal((await client.as(key).get<Resource>('/users')).status, 401);
    });
  });

  describe('listed', () => {
    let three: Resource[];
    before(async () => {
      three = [
        await made('Zoe.listed@example.com', ['scans', 'nothing']),
        await made('adam.listed@example.com', ['scansAndBilling']),
        await made('Bea_listed@example.com', ['nothing']),
      ];
    });
    const listed = async (query: string) =>
      (await client.get<Resource[]>(`/users?filter[search]=listed&${query}`)).body.data.map(
        ({ attributes }) => attributes.email?.slice(0, 3),
      );

    it('are in the order of their emails, or in the one that is asked for', async () => {
      assert.deepEqual(await listed(''), ['ada', 'Bea', 'Zoe']);
      assert.deepEqual(await listed('sort=-email'), ['Zoe', 'Bea', 'ada']);
      assert.deepEqual(await listed('sort=inserted_at'), ['Zoe', 'ada', 'Bea']);
      assert.deepEqual(await listed('sort=-inserted_at'), ['Bea', 'ada', 'Zoe']);
    });

    it('are those that a filter lets through', async () => {
      assert.deepEqual(await listed(`filter[role]=${roles.nothing}`), ['Bea', 'Zoe']);
      assert.deepEqual(await listed(`filter[role]=${UNKNOWN}`), []);
      assert.deepEqual(await listed('filter[email]=ZOE.listed@example.com'), ['Zoe']);
      assert.deepEqual(await listed('filter[email]=zoe'), []);
      const search = async (text: string) =>
        (await client.get<Resource[]>(`/users?filter[search]=${text}`)).body.data.map(({ id }) => id);
      assert.deepEqual(await search('bea_l'), [three[2]?.id]);
      assert.deepEqual(await search(three[1]?.id ?? ''), [three[1]?.id]);
      assert.deepEqual(await search('second@example.com').then(({ length }) => length), 1);
    });

    it('bring their roles along, each once', async () => {
      const { body } = await client.get<Resource[]>(
        '/users?filter[search]=listed&include=roles&fields[roles]=name',
      );
      const names = body.included?.map(({ type, attributes }) =>
        [type, Object.keys(attributes), attributes.name].join(),
      );
      assert.deepEqual(names?.sort(), [
        'roles,name,nothing',
        'roles,name,scans',
        'roles,name,scansAndBilling',
      ]);
      const one = await client.get<Resource>(`/users/${three[1]?.id}?include=roles&fields[users]=email`);
      assert.deepEqual(
        one.body.included?.map(({ id }) => id),
        [roles.scansAndBilling],
      );
      assert.deepEqual(one.body.data.attributes, { email: 'adam.listed@example.com' });
      assert.ok(!('included' in (await client.get<Resource>(`/users/${three[1]?.id}`)).body));
    });

    for (const [query, parameter] of [
      ['filter[name]=a', 'filter[name]'],
      ['filter[role]=admin', 'filter[role]'],
      ['sort=permissions', 'sort'],
      ['include=user', 'include'],
      ['fields[users]=password', 'fields[users]'],
      ['limit=1', 'limit'],
    ] as const) {
      it(`answer 400 and name the parameter for ${query}`, async () => {
        const { status, body } = await client.get<Resource>(`/users?${query}`);
        assert.deepEqual([status, body.errors[0]?.source], [400, { parameter }]);
      });
    }
  });

  // Last: it takes away what the others work with.
  describe('who manage access', () => {
    it('cannot all lose that, in whatever way, and one of two can', async () => {
      await service.sql('delete from users where tenant_id = $1 and id <> $2', [service.tenantId, admin.id]);
      assertRefused(await patch(admin.id, { relationships: withRoles(['scans']) }), LAST_MANAGER);
      assertRefused(await client.delete(`/users/${admin.id}`), LAST_MANAGER);
      assert.deepEqual((await get(admin.id)).attributes.permissions, ALL);

      const users = { type: 'roles', attributes: { name: 'users only', permissions: ['manage_users'] } };
      roles.usersOnly = (await client.document<Resource>('POST', '/roles', users)).body.data.id;
      await made('users.only@example.com', ['usersOnly']);
      assertRefused(await client.delete(`/users/${admin.id}`), {
        ...LAST_MANAGER,
        detail: /^No user would have the permission manage_account any more; /,
      });
      await made('deputy@example.com', [admin.role]);
      assert.equal((await patch(admin.id, { relationships: withRoles(['scans']) })).status, 200);
    });

    it('cannot lose it two at a time', async () => {
      await service.sql('insert into user_roles values ($1, $2, $3)', [
        service.tenantId,
        admin.id,
        admin.role,
      ]);
      const [deputy] = (await client.get<Resource[]>('/users?filter[email]=deputy@example.com')).body.data;
      assert.ok(deputy !== undefined);
      // Each removal takes so long to commit that the other judges before.
      await service.sql(`
        create function linger() returns trigger language plpgsql as $$
        begin perform pg_sleep(0.5); return null; end $$;
        create constraint trigger linger after delete on users deferrable initially deferred
          for each row execute function linger()`);
      // Of a third, so that neither removal takes away the key of the other's request.
      const [third] = (await client.get<Resource[]>('/users?filter[email]=users.only@example.com')).body.data;
      const key = await keyFor(third?.id ?? '');
      const answers = await Promise.all(
        [deputy.id, admin.id].map((id) => client.as(key).delete(`/users/${id}`)),
      );
      assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 409]);
    });
  });
});
