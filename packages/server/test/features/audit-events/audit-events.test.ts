import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { created, keyOf, postRole, postUser, UNKNOWN_ID } from '../../support/access-resources.ts';
import { type Client, createClient } from '../../support/client.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { assertRefused } from '../../support/refusal.ts';
import { createSecondTenant, type SecondTenant } from '../../support/second-tenant.ts';
import { TIMESTAMP } from '../../support/timestamp.ts';
import { walkPages } from '../../support/walk-pages.ts';
import { itRefusesQueries } from '../../support/wrong-queries.ts';

interface Event {
  readonly type: string;
  readonly id: string;
  readonly attributes: {
    readonly action: string;
    readonly actor: string;
    readonly user_email: string | null;
    readonly api_key_prefix: string | null;
    readonly target_type: string;
    readonly target_id: string;
    readonly changes: Record<string, unknown>;
    readonly occurred_at: string;
    readonly address: string | null;
    readonly request_id: string | null;
  };
  readonly relationships: { readonly user: { readonly data: { type: string; id: string } | null } };
}

describe('the audit trail', () => {
  let service: SharedService;
  let client: Client;
  let second: SecondTenant;
  let adminId: string;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
    second = await createSecondTenant(service);
    const [admin] = await service.sql<{ id: string }>(`select id from users where email = 'admin@localhost'`);
    adminId = admin?.id ?? '';
  });
  after(() => service.leave());

  const list = (query: string) => client.get<Event[]>(`/audit-events?${query}`);
  const ids = async (query: string) => (await list(`page[size]=1000&${query}`)).body.data.map(({ id }) => id);
  async function addUser(email: string, role: string) {
    const { id } = created(await postUser(client, email, [role]));
    return { id, key: await keyOf(client, id) };
  }

  it('records the user, action, time and address of each change in the audit trail', async () => {
    const { headers, body } = await postRole(client, 'watched');
    const response = await list(`filter[target_id]=${body.data.id}&include=user&fields[users]=email`);
    const [event, ...others] = response.body.data;
    assert.ok(event !== undefined);
    assert.deepEqual(others, []);
    const { occurred_at } = event.attributes;
    assert.match(occurred_at, TIMESTAMP);
    assert.ok(Math.abs(Date.now() - Date.parse(occurred_at)) < 60_000);
    assert.deepEqual(event, {
      type: 'audit-events',
      id: event.id,
      attributes: {
        action: 'role.created',
        actor: 'user',
        user_email: 'admin@localhost',
        api_key_prefix: service.key.split('.')[0],
        target_type: 'roles',
        target_id: body.data.id,
        changes: { name: 'watched', permissions: [] },
        occurred_at,
        address: '127.0.0.1',
        request_id: headers.get('x-request-id'),
      },
      relationships: { user: { data: { type: 'users', id: adminId } } },
    });
    assert.deepEqual(
      response.body.included?.map(({ id, attributes }) => [id, attributes]),
      [[adminId, { email: 'admin@localhost' }]],
    );
    const one = await client.get<Event>(`/audit-events/${event.id}?include=user&fields[audit-events]=action`);
    assert.deepEqual(one.body.data, { ...event, attributes: { action: 'role.created' } });
    assert.equal(one.body.included?.length, 1);
  });

  it('records no audit event for a rejected request', async () => {
    const before = await ids('');
    assert.equal((await postRole(client, 'watched')).status, 409);
    assert.equal((await postRole(client, '')).status, 400);
    assert.equal((await client.delete(`/users/${adminId}`)).status, 409);
    assert.deepEqual(await ids(''), before);
  });

  it('keeps the audit events and the email address of a deleted user', async () => {
    const manager = await postRole(client, 'deleter', ['manage_users']);
    const { id, key } = await addUser('gone@example.com', manager.body.data.id);
    const role = await postRole(client.as(key), 'created by a deleted user');
    assert.equal((await client.as(key).delete(`/users/${id}`)).status, 204);
    const { body } = await list(`filter[user]=${id}&include=user`);
    assert.deepEqual(
      body.data.map(({ attributes, relationships }) => [
        attributes.action,
        attributes.target_id,
        attributes.actor,
        attributes.user_email,
        attributes.api_key_prefix,
        relationships.user.data,
      ]),
      [
        ['user.deleted', id, 'user', 'gone@example.com', key.split('.')[0], null],
        ['role.created', role.body.data.id, 'user', 'gone@example.com', key.split('.')[0], null],
      ],
    );
    assert.deepEqual(body.included, []);
  });

  it('records admin commands as audit events without a user', async () => {
    const tenantOption = ['--tenant', service.tenantId] as const;
    const email = 'operated@example.com';
    await service.sluiceJson(
      'user',
      'create',
      ...tenantOption,
      '--email',
      email,
      '--permissions',
      'manage_scans',
    );
    await service.sluiceJson('user', 'set-permissions', ...tenantOption, '--email', email, 'manage_billing');
    const key = await service.sluiceJson<{ id: string; prefix: string; key: string }>(
      ...['api-key', 'create', ...tenantOption, '--user', email],
    );
    for (const _ of [1, 2]) await service.sluiceJson('api-key', 'revoke', ...tenantOption, key.prefix);
    await service.sluiceJson('subscription', 'set', ...tenantOption, 'active');
    const { body } = await list('page[size]=5');
    const noUser = { user_email: null, api_key_prefix: null, address: null, request_id: null };
    for (const { attributes, relationships } of body.data) {
      assert.equal(attributes.actor, 'operator');
      assert.deepEqual({ ...attributes, ...noUser }, attributes);
      assert.equal(relationships.user.data, null);
    }
    assert.deepEqual(
      body.data.map(({ attributes }) => attributes.action),
      ['subscription.updated', 'api_key.revoked', 'api_key.created', 'user.updated', 'user.created'],
    );
    assert.equal(body.data[2]?.attributes.target_id, key.id);
    const secret = key.key.split('.')[1] ?? key.key;
    assert.ok(!JSON.stringify(body).includes(secret));
  });

  describe('the audit event list', () => {
    /** All audit events, newest first. Two of them have the same time. */
    let all: Event[];
    const where = (matches: (event: Event) => boolean) => all.filter(matches).map(({ id }) => id);
    before(async () => {
      await Promise.all(['x', 'y', 'z'].map((name) => postRole(client, `role ${name}`)));
      const made = (await list('filter[target_type]=roles&page[size]=4')).body.data.map(({ id }) => id);
      for (const [at, time] of [
        '2026-03-01T00:00:00Z',
        '2026-03-01T23:59:59.999999Z',
        '2026-03-02T00:00:00Z',
        '2026-03-02T00:00:00Z',
      ].entries())
        await service.sql('update audit_events set occurred_at = $1 where id = $2', [time, made[at]]);
      all = (await list('page[size]=1000')).body.data;
      const sortKey = (event: Event) => `${event.attributes.occurred_at} ${event.id}`;
      assert.deepEqual(all.map(sortKey), all.map(sortKey).sort().reverse());
      assert.ok(all.length > 15);
    });

    it('lists audit events newest first', async () => {
      assert.deepEqual(
        await ids(''),
        where(() => true),
      );
      assert.deepEqual(await ids('sort=occurred_at'), where(() => true).reverse());
    });

    for (const { order, sort } of [
      { order: 'default', sort: '' },
      { order: 'chronological', sort: '&sort=occurred_at' },
    ]) {
      it(`returns every audit event once across cursor pages in ${order} order`, async () => {
        const first = await list(`page[after]=&page[size]=3${sort}`);
        const pages = await walkPages(service, first, 'next');
        const expected = where(() => true);
        assert.deepEqual(
          pages.flatMap(({ body }) => body.data.map(({ id }) => id)),
          order === 'default' ? expected : expected.reverse(),
        );
      });
    }

    it('lists the audit events that match a filter', async () => {
      const by = (key: 'action' | 'target_type' | 'target_id', ...values: string[]) =>
        where(({ attributes }) => values.includes(attributes[key]));
      const [some] = by('action', 'user.created');
      const target = all.find(({ id }) => id === some)?.attributes.target_id ?? '';
      for (const [query, expected] of [
        ['filter[action]=role.created', by('action', 'role.created')],
        ['filter[action__in]=user.created,user.deleted', by('action', 'user.created', 'user.deleted')],
        ['filter[target_type]=users', by('target_type', 'users')],
        [`filter[target_id]=${target}`, by('target_id', target)],
        [`filter[user]=${adminId}`, where(({ attributes }) => attributes.user_email === 'admin@localhost')],
      ] as const) {
        assert.ok(expected.length > 0 && expected.length < all.length, query);
        assert.deepEqual(await ids(query), expected, query);
      }
      assert.deepEqual(await ids('filter[action]=role'), []);
      assert.deepEqual(await ids(`filter[user]=${UNKNOWN_ID}`), []);
    });

    it('filters audit events by UTC day with microsecond precision', async () => {
      const on = (...days: string[]) =>
        where(({ attributes }) => days.includes(attributes.occurred_at.slice(0, 10)));
      assert.equal(on('2026-03-01').length, 2);
      assert.deepEqual(await ids('filter[occurred_at]=2026-03-01'), on('2026-03-01'));
      assert.deepEqual(await ids('filter[occurred_at__lte]=2026-03-01'), on('2026-03-01'));
      assert.deepEqual(await ids('filter[occurred_at__lte]=2026-03-02'), on('2026-03-01', '2026-03-02'));
      const later = where(({ attributes }) => attributes.occurred_at >= '2026-03-02');
      assert.deepEqual(await ids('filter[occurred_at__gte]=2026-03-02'), later);
    });

    itRefusesQueries('/audit-events', () => client, [
      ['an unknown filter', 'filter[actor]=user', 'filter[actor]'],
      ['a user ID that is not a UUID', 'filter[user]=me', 'filter[user]'],
      ['a word instead of a date', 'filter[occurred_at]=yesterday', 'filter[occurred_at]'],
      ['an unknown sort key', 'sort=action', 'sort'],
      ['an unknown include value', 'include=target', 'include'],
      ['an unknown field', 'fields[audit-events]=who', 'fields[audit-events]'],
      ['an invalid cursor', 'page[after]=x', 'page[after]'],
    ]);

    it("lists only the audit events of the caller's tenant", async () => {
      const foreign = (await second.client.get<Event[]>('/audit-events')).body.data;
      assert.deepEqual(
        foreign.map(({ attributes }) => attributes.action),
        ['api_key.created', 'user.created', 'tenant.created'],
      );
      const [{ id } = { id: '' }] = foreign;
      const refused = { status: 404, code: 'not_found', detail: /^No audit event has this ID\.$/ };
      for (const invalidId of [id, UNKNOWN_ID, 'x'])
        assertRefused(await client.get<Event>(`/audit-events/${invalidId}`), refused);
      assert.equal((await second.client.get(`/audit-events/${id}`)).status, 200);
    });
  });

  it('requires manage_account to read audit events, and rejects changes to them', async () => {
    const { body } = await postRole(client, 'no account', ['manage_users']);
    const { key, id } = await addUser('curious@example.com', body.data.id);
    const [{ id: event } = { id: '' }] = (await list('page[size]=1')).body.data;
    for (const path of ['/audit-events', `/audit-events/${event}`]) {
      // The restricted key lacks manage_account. Without the restriction, only its user does.
      assert.equal((await client.as(key).get(path)).status, 401);
      await service.sql('update api_keys set permissions = null where user_id = $1', [id]);
      assert.equal((await client.as(key).get(path)).status, 403);
      await service.sql(`update api_keys set permissions = '{manage_users}' where user_id = $1`, [id]);
      for (const method of ['POST', 'PATCH', 'DELETE'])
        assert.equal((await client.send(path, { method })).status, 405);
    }
  });
});
