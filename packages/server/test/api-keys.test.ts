import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { parseApiKey } from '../src/access/api-key.ts';
import { type Client, createClient, DOCUMENT_TYPE } from './support/client.ts';
import { assertRefused } from './support/refusal.ts';
import { createSecondTenant, type SecondTenant } from './support/second-tenant.ts';
import { type Service, startService } from './support/service.ts';

interface Key {
  readonly type: string;
  readonly id: string;
  readonly attributes: {
    readonly prefix: string;
    readonly name: string | null;
    readonly permissions: string[] | null;
    readonly inserted_at: string;
    readonly expires_at: string | null;
    readonly revoked_at: string | null;
    readonly key?: string;
  };
  readonly relationships: {
    readonly user: { readonly data: { readonly type: string; readonly id: string } };
  };
  readonly links: { readonly self: string };
}

const UNKNOWN = '0198a000-0000-7000-8000-000000000000';
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const NOT_FOUND = { status: 404, code: 'not_found', detail: /^There is no API key with this id$/ };

describe('API keys', () => {
  let service: Service;
  let client: Client;
  let second: SecondTenant;
  let adminId: string;
  /** May manage account and scans; no users. */
  let accountant: { id: string; key: string };
  /** May manage scans only. */
  let reader: { id: string; key: string };
  before(async () => {
    service = await startService({ LOG_LEVEL: 'info' });
    client = createClient(service.url, service.key);
    second = await createSecondTenant(service);
    [accountant, reader] = await Promise.all([
      createUser('accountant@example.com', 'manage_account,manage_scans'),
      createUser('reader@example.com', 'manage_scans'),
    ]);
    const [admin] = await service.sql<{ id: string }>(`select id from users where email = 'admin@localhost'`);
    adminId = admin?.id ?? '';
  });
  after(() => service.remove());

  async function createUser(email: string, permissions: string) {
    const of = ['--tenant', service.tenantId] as const;
    const user = ['user', 'create', ...of, '--email', email, '--permissions', permissions];
    const { id } = await service.sluiceJson<{ id: string }>(...user);
    const { key } = await service.sluiceJson<{ key: string }>('api-key', 'create', ...of, '--user', email);
    return { id, key };
  }

  const post = (attributes: object, { key = service.key, user }: { key?: string; user?: string } = {}) =>
    client.as(key).document<Key>('POST', '/api-keys', {
      type: 'api-keys',
      attributes,
      ...(user !== undefined && { relationships: { user: { data: { type: 'users', id: user } } } }),
    });

  /** Makes a key that has to be made. */
  async function made(attributes: object, options: { key?: string; user?: string } = {}) {
    const { status, body } = await post(attributes, options);
    assert.equal(status, 201, JSON.stringify(body));
    const { key } = body.data.attributes;
    assert.ok(key !== undefined);
    return { ...body.data, key };
  }

  const list = async (query: string) => (await client.get<Key[]>(`/api-keys?page[size]=1000&${query}`)).body;
  const ids = async (query: string) => (await list(query)).data.map(({ id }) => id);
  const events = () =>
    service.sql<{ count: number }>('select count(*)::int as count from audit_events where tenant_id = $1', [
      service.tenantId,
    ]);

  describe('made', () => {
    it('are shown this once, work at once, and have an address', async () => {
      const answer = await post({ name: 'CI of the shop', expires_at: '2127-01-31T12:00:00.5+02:00' });
      assert.equal(answer.status, 201);
      const { attributes, relationships, ...resource } = answer.body.data;
      const { key = '', ...shown } = attributes;
      assert.ok(parseApiKey(key));
      assert.match(shown.inserted_at, TIME);
      assert.deepEqual(shown, {
        prefix: key.split('.')[0],
        name: 'CI of the shop',
        permissions: null,
        inserted_at: shown.inserted_at,
        expires_at: '2127-01-31T10:00:00.500000Z',
        revoked_at: null,
      });
      assert.deepEqual(relationships, { user: { data: { type: 'users', id: adminId } } });
      assert.equal(answer.headers.get('location'), `${service.url}/api/v1/api-keys/${resource.id}`);
      assert.equal(answer.headers.get('location'), resource.links.self);

      const again = await client.as(key).get<Key>(`/api-keys/${resource.id}`);
      assert.equal(again.status, 200);
      assert.deepEqual(again.body.data, { ...resource, attributes: shown, relationships });
    });

    it('leave nothing of their secret in later answers, in events, in the log or in the database', async () => {
      const { key, id } = await made({ name: 'secret' });
      const { secret } = parseApiKey(key) ?? { secret: '' };
      const hash = createHash('sha256').update(secret).digest('hex');
      const answers = await Promise.all(
        ['/api-keys?page[size]=1000&include=user', `/api-keys/${id}`, '/audit-events?page[size]=1000'].map(
          async (path) => JSON.stringify((await client.get<Key>(path)).body),
        ),
      );
      const rows = await service.sql('select row_to_json(e) from audit_events e');
      const keys = await service.sql<{ text: string }>(
        'select k::text as text from api_keys k where id = $1',
        [id],
      );
      const seen = [...answers, JSON.stringify(rows), service.output.stderr, service.output.stdout];
      assert.match(service.output.stderr, /"url":"\/api\/v1\/api-keys"/);
      for (const text of [...seen, JSON.stringify(keys)]) assert.ok(!text.includes(secret));
      for (const text of seen) assert.ok(!text.includes(hash));
      assert.ok(JSON.stringify(keys).includes(hash));
    });

    it('narrowed can do only what they are narrowed to', async () => {
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

    it('by a narrowed key are narrowed, however they are asked for, and through generations', async () => {
      const parent = await made({
        name: 'parent',
        permissions: ['manage_account', 'manage_scans', 'manage_users'],
      });
      const child = await made({ name: 'child' }, { key: parent.key });
      assert.deepEqual(child.attributes.permissions, parent.attributes.permissions);
      const narrower = { name: 'grandchild', permissions: ['manage_account'] };
      const grandchild = await made(narrower, { key: child.key });
      assert.deepEqual(grandchild.attributes.permissions, ['manage_account']);
      for (const key of [child.key, grandchild.key]) {
        assertRefused(
          await post({ name: 'more', permissions: ['manage_account', 'manage_billing'] }, { key }),
          {
            status: 403,
            code: 'permission_denied',
            detail: /may not give .*manage_billing/,
            source: { pointer: '/data/attributes/permissions' },
          },
        );
      }
      const last = await made({ name: 'last' }, { key: grandchild.key });
      assert.deepEqual(last.attributes.permissions, ['manage_account']);
    });

    it('by a key that is narrowed to all there is do not grow with their user', async () => {
      const { key } = await made(
        { name: 'all she has', permissions: ['manage_account', 'manage_scans'] },
        accountant,
      );
      assert.deepEqual((await made({ name: 'copy' }, { key })).attributes.permissions, [
        'manage_account',
        'manage_scans',
      ]);
      assert.equal((await made({ name: 'own' }, { key: accountant.key })).attributes.permissions, null);
    });

    it('for oneself cannot have what one lacks', async () => {
      assertRefused(await post({ name: 'a', permissions: ['manage_users'] }, { key: accountant.key }), {
        status: 403,
        code: 'permission_denied',
        detail: /manage_users/,
        source: { pointer: '/data/attributes/permissions' },
      });
    });

    it('for another user need manage_users as well', async () => {
      assertRefused(await post({ name: 'a' }, { key: accountant.key, user: reader.id }), {
        status: 403,
        code: 'permission_denied',
        detail: /manage_users/,
        source: { pointer: '/data/relationships/user/data' },
      });
      const narrowed = await made({ name: 'no users', permissions: ['manage_account', 'manage_scans'] });
      assert.equal((await post({ name: 'a' }, { key: narrowed.key, user: reader.id })).status, 403);
      assert.equal((await post({ name: 'a' }, { key: accountant.key, user: accountant.id })).status, 201);
    });

    it('for another user are bound to what both may, and theirs', async () => {
      const { key, attributes, relationships } = await made({ name: 'for the reader' }, { user: reader.id });
      assert.equal(relationships.user.data.id, reader.id);
      assert.deepEqual(attributes.permissions, ['manage_scans']);
      assert.equal((await client.as(key).get('/api-keys')).status, 401);

      const maker = await made({ name: 'maker', permissions: ['manage_account', 'manage_users'] });
      const bound = await made({ name: 'b' }, { key: maker.key, user: accountant.id });
      assert.deepEqual(bound.attributes.permissions, ['manage_account']);
      assertRefused(await post({ name: 'b', permissions: ['manage_billing'] }, { user: reader.id }), {
        status: 400,
        code: 'invalid_permissions',
        detail: /the user of the key lacks manage_billing/,
        source: { pointer: '/data/attributes/permissions' },
      });
    });
  });

  describe('asked for wrongly', () => {
    const right = { type: 'api-keys', attributes: { name: 'right' } };
    const user = (data: unknown) => ({ ...right, relationships: { user: { data } } });
    for (const [what, data, pointer, status = 400] of [
      ['no name', { ...right, attributes: {} }, '/data/attributes/name'],
      ['a blank name', { ...right, attributes: { name: ' \u2003' } }, '/data/attributes/name'],
      ['a name with U+0000', { ...right, attributes: { name: 'a\0' } }, '/data/attributes/name'],
      [
        'a name of 101 characters',
        { ...right, attributes: { name: 'a'.repeat(101) } },
        '/data/attributes/name',
      ],
      ['an unknown attribute', { ...right, attributes: { name: 'a', key: 'sk_' } }, '/data/attributes/key'],
      ['an unknown member', { ...right, meta: {} }, '/data/meta'],
      ['an unknown relationship', { ...right, relationships: { roles: {} } }, '/data/relationships/roles'],
      [
        'an unknown permission',
        { ...right, attributes: { name: 'a', permissions: ['manage_all'] } },
        '/data/attributes/permissions/0',
      ],
      [
        'null permissions',
        { ...right, attributes: { name: 'a', permissions: null } },
        '/data/attributes/permissions',
      ],
      [
        'an end in the past',
        { ...right, attributes: { name: 'a', expires_at: '2026-01-01T00:00:00Z' } },
        '/data/attributes/expires_at',
      ],
      [
        'an end without a zone',
        { ...right, attributes: { name: 'a', expires_at: '2127-01-01T00:00:00' } },
        '/data/attributes/expires_at',
      ],
      [
        'an end on a day that is none',
        { ...right, attributes: { name: 'a', expires_at: '2127-02-30T00:00:00Z' } },
        '/data/attributes/expires_at',
      ],
      [
        'an end beyond all years',
        { ...right, attributes: { name: 'a', expires_at: '9999-12-31T23:59:59-23:00' } },
        '/data/attributes/expires_at',
      ],
      ['a user of another type', user({ type: 'roles', id: UNKNOWN }), '/data/relationships/user/data/type'],
      ['a user that is no UUID', user({ type: 'users', id: 'me' }), '/data/relationships/user/data/id'],
      ['an unknown user', user({ type: 'users', id: UNKNOWN }), '/data/relationships/user/data', 404],
      ['another type', { ...right, type: 'users' }, '/data/type', 409],
      ['an id', { ...right, id: UNKNOWN }, '/data/id', 409],
    ] as const) {
      it(`are refused with ${status} and ${pointer} for ${what}`, async () => {
        const before = [await events(), await ids('')];
        const answer = await client.document<Key>('POST', '/api-keys', data);
        const { source } = answer.body.errors[0] ?? {};
        assert.deepEqual([answer.status, source], [status, { pointer }]);
        assert.deepEqual([await events(), await ids('')], before);
      });
    }

    it("are refused with the same 404 for another tenant's user", async () => {
      const [stranger] = await service.sql<{ id: string }>('select id from users where tenant_id = $1', [
        second.id,
      ]);
      const answer = await post({ name: 'a' }, { user: stranger?.id ?? '' });
      assert.equal(answer.status, 404);
      assert.equal(answer.body.errors[0]?.detail, `There is no user ${stranger?.id}`);
    });

    it('are refused as another media type and as no JSON', async () => {
      const statusOf = async (body: string, type: string) =>
        (await client.send('/api-keys', { method: 'POST', body, headers: { 'content-type': type } })).status;
      assert.equal(await statusOf(JSON.stringify({ data: right }), 'application/json'), 415);
      assert.equal(await statusOf('{', DOCUMENT_TYPE), 400);
    });
  });

  it('are for those with manage_account', async () => {
    const narrowed = await made({ name: 'n', permissions: ['manage_users'] });
    for (const [method, path] of [
      ['GET', '/api-keys'],
      ['GET', `/api-keys/${narrowed.id}`],
      ['POST', '/api-keys'],
      ['DELETE', `/api-keys/${narrowed.id}`],
    ] as const) {
      assert.equal((await client.as(reader.key).send(path, { method })).status, 403, method);
      assert.equal((await client.as(narrowed.key).send(path, { method })).status, 401, method);
      assert.equal((await client.as('none').send(path, { method })).status, 401, method);
    }
  });

  describe('revoked', () => {
    it('are refused from then on; twice is fine and tells the first time', async () => {
      const { id, key, attributes } = await made({ name: 'short life' });
      assert.equal((await client.as(key).get('/api-keys')).status, 200);
      const [before] = await events();
      assert.equal((await client.delete(`/api-keys/${id}`)).status, 204);
      assert.equal((await client.as(key).get('/api-keys')).status, 401);
      const first = (await client.get<Key>(`/api-keys/${id}`)).body.data;
      assert.match(first.attributes.revoked_at ?? '', TIME);
      assert.deepEqual({ ...first.attributes, revoked_at: null, key }, attributes);
      assert.equal((await client.delete(`/api-keys/${id}`)).status, 204);
      assert.deepEqual((await client.get<Key>(`/api-keys/${id}`)).body.data, first);
      const [afterwards] = await events();
      assert.equal(afterwards?.count, (before?.count ?? 0) + 1);
    });

    it('by themselves, too', async () => {
      const { id, key } = await made({ name: 'itself' });
      assert.equal((await client.as(key).delete(`/api-keys/${id}`)).status, 204);
      assert.equal((await client.as(key).get('/api-keys')).status, 401);
    });

    it('never by another tenant', async () => {
      const { id, key } = await made({ name: 'safe' });
      for (const method of ['GET', 'DELETE']) {
        assertRefused(await second.client.send(`/api-keys/${id}`, { method }), NOT_FOUND);
        for (const wrong of [UNKNOWN, 'x'])
          assertRefused(await client.send(`/api-keys/${wrong}`, { method }), NOT_FOUND);
      }
      assert.equal((await client.as(key).get('/api-keys')).status, 200);
      const theirs = await second.client.get<Key[]>('/api-keys?filter[search]=safe');
      assert.deepEqual([theirs.status, theirs.body.data], [200, []]);
      assert.equal((await second.client.get<Key[]>('/api-keys')).body.meta.pagination.count, 1);
    });
  });

  describe('listed', () => {
    const end = (year: number) => `${year}-01-01T00:00:00Z`;
    let x: string[];
    before(async () => {
      // The last two end at one time.
      const first = await made({ name: 'Listed 1', expires_at: end(2129) }, { user: reader.id });
      const second = await made({ name: 'listed 2' });
      const third = await made({ name: 'LISTED 3', expires_at: end(2128) });
      const fourth = await made({ name: 'listed_4', expires_at: end(2128) }, { user: accountant.id });
      x = [first, second, third, fourth].map(({ id }) => id);
      await client.delete(`/api-keys/${first.id}`);
      await client.delete(`/api-keys/${third.id}`);
    });
    const pick = (...places: number[]) => places.map((place) => x[place]);
    const listed = (query: string) => ids(`filter[search]=listed&${query}`);

    it('are the newest first, or in the order that is asked for, those without an end last', async () => {
      assert.deepEqual(await listed(''), pick(3, 2, 1, 0));
      assert.deepEqual(await listed('sort=inserted_at'), pick(0, 1, 2, 3));
      assert.deepEqual(await listed('sort=expires_at,-inserted_at'), pick(3, 2, 0, 1));
      assert.deepEqual(await listed('sort=-expires_at,inserted_at'), pick(0, 2, 3, 1));
      assert.deepEqual(await listed('sort=expires_at'), pick(2, 3, 0, 1));
    });

    it('are those that a filter lets through', async () => {
      assert.deepEqual(await listed('filter[revoked]=true'), pick(2, 0));
      assert.deepEqual(await listed('filter[revoked]=false'), pick(3, 1));
      assert.deepEqual(await listed(`filter[user]=${reader.id}`), pick(0));
      assert.deepEqual(await listed(`filter[user__in]=${reader.id},${accountant.id}`), pick(3, 0));
      assert.deepEqual(await ids('filter[search]=listed_'), pick(3));
      const [admins] = await service.sql<{ id: string }>('select id from api_keys where prefix = $1', [
        service.key.split('.')[0],
      ]);
      assert.deepEqual(await ids(`filter[search]=${service.key.split('.')[0]?.toLowerCase()}`), [admins?.id]);
      assert.deepEqual(await listed(`filter[user]=${UNKNOWN}`), []);
    });

    it('are counted and paged', async () => {
      const { body } = await client.get<Key[]>('/api-keys?filter[search]=listed&page[size]=3&page[number]=2');
      assert.deepEqual(
        body.data.map(({ id }) => id),
        pick(0),
      );
      assert.deepEqual(body.meta.pagination, { page: 2, pages: 2, count: 4 });
    });

    it('bring their users along, each once, and only the fields that are asked for', async () => {
      const body = await list('filter[search]=listed&include=user&fields[users]=email&fields[api-keys]=name');
      assert.deepEqual(
        body.included?.map(({ type, attributes }) => `${type} ${JSON.stringify(attributes)}`).sort(),
        ['accountant@example.com', 'admin@localhost', 'reader@example.com'].map(
          (email) => `users ${JSON.stringify({ email })}`,
        ),
      );
      assert.deepEqual(body.data.map(({ attributes }) => attributes)[0], { name: 'listed_4' });
      assert.ok(!('included' in (await list(''))));
      const one = await client.get<Key>(`/api-keys/${x[0]}?include=user`);
      assert.deepEqual(
        one.body.included?.map(({ id }) => id),
        [reader.id],
      );
    });

    for (const [query, parameter] of [
      ['filter[name]=a', 'filter[name]'],
      ['filter[revoked]=yes', 'filter[revoked]'],
      ['filter[user]=me', 'filter[user]'],
      ['sort=name', 'sort'],
      ['include=roles', 'include'],
      ['fields[api-keys]=key', 'fields[api-keys]'],
      ['page[after]=', 'page[after]'],
    ] as const) {
      it(`answer 400 and name the parameter for ${query}`, async () => {
        const { status, body } = await client.get<Key[]>(`/api-keys?${query}`);
        assert.deepEqual([status, body.errors[0]?.source], [400, { parameter }]);
      });
    }
  });
});
