import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ApiKey, makeKey, UNKNOWN_ID } from '../../support/access-resources.ts';
import { type Client, createClient } from '../../support/client.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { createUser } from '../../support/operator.ts';
import { itRefusesQueries } from '../../support/wrong-queries.ts';

describe('the API key list', () => {
  let service: SharedService;
  let client: Client;
  let accountant: { id: string };
  let reader: { id: string };
  const end = (year: number) => `${year}-01-01T00:00:00Z`;
  let x: string[];
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
    accountant = await createUser(service, service.tenantId, 'accountant@example.com');
    reader = await createUser(service, service.tenantId, 'reader@example.com');
    // The last two keys expire at the same time.
    const first = await makeKey(client, { name: 'Listed 1', expires_at: end(2129) }, reader.id);
    const second = await makeKey(client, { name: 'listed 2' });
    const third = await makeKey(client, { name: 'LISTED 3', expires_at: end(2128) });
    const fourth = await makeKey(client, { name: 'listed_4', expires_at: end(2128) }, accountant.id);
    x = [first, second, third, fourth].map(({ id }) => id);
    await client.delete(`/api-keys/${first.id}`);
    await client.delete(`/api-keys/${third.id}`);
  });
  after(() => service.leave());

  const list = async (query: string) =>
    (await client.get<ApiKey[]>(`/api-keys?page[size]=1000&${query}`)).body;
  const ids = async (query: string) => (await list(query)).data.map(({ id }) => id);
  const pick = (...places: number[]) => places.map((place) => x[place]);
  const listed = (query: string) => ids(`filter[search]=listed&${query}`);

  it('lists API keys newest first or in the requested order, with keys that never expire last', async () => {
    assert.deepEqual(await listed(''), pick(3, 2, 1, 0));
    assert.deepEqual(await listed('sort=inserted_at'), pick(0, 1, 2, 3));
    assert.deepEqual(await listed('sort=expires_at,-inserted_at'), pick(3, 2, 0, 1));
    assert.deepEqual(await listed('sort=-expires_at,inserted_at'), pick(0, 2, 3, 1));
    assert.deepEqual(await listed('sort=expires_at'), pick(2, 3, 0, 1));
  });

  it('lists the API keys that match a filter', async () => {
    assert.deepEqual(await listed('filter[revoked]=true'), pick(2, 0));
    assert.deepEqual(await listed('filter[revoked]=false'), pick(3, 1));
    assert.deepEqual(await listed(`filter[user]=${reader.id}`), pick(0));
    assert.deepEqual(await listed(`filter[user__in]=${reader.id},${accountant.id}`), pick(3, 0));
    assert.deepEqual(await ids('filter[search]=listed_'), pick(3));
    const [admins] = await service.sql<{ id: string }>('select id from api_keys where prefix = $1', [
      service.key.split('.')[0],
    ]);
    assert.deepEqual(await ids(`filter[search]=${service.key.split('.')[0]?.toLowerCase()}`), [admins?.id]);
    assert.deepEqual(await listed(`filter[user]=${UNKNOWN_ID}`), []);
  });

  it('paginates API keys and returns their total count', async () => {
    const { body } = await client.get<ApiKey[]>(
      '/api-keys?filter[search]=listed&page[size]=3&page[number]=2',
    );
    assert.deepEqual(
      body.data.map(({ id }) => id),
      pick(0),
    );
    assert.deepEqual(body.meta.pagination, { page: 2, pages: 2, count: 4 });
  });

  it('includes each user of the listed API keys once, with only the requested fields', async () => {
    const body = await list('filter[search]=listed&include=user&fields[users]=email&fields[api-keys]=name');
    assert.deepEqual(
      body.included?.map(({ type, attributes }) => `${type} ${JSON.stringify(attributes)}`).sort(),
      ['accountant@example.com', 'admin@localhost', 'reader@example.com'].map(
        (email) => `users ${JSON.stringify({ email })}`,
      ),
    );
    assert.deepEqual(body.data.map(({ attributes }) => attributes)[0], { name: 'listed_4' });
    assert.ok(!('included' in (await list(''))));
    const one = await client.get<ApiKey>(`/api-keys/${x[0]}?include=user`);
    assert.deepEqual(
      one.body.included?.map(({ id }) => id),
      [reader.id],
    );
  });

  itRefusesQueries('/api-keys', () => client, [
    ['an unknown filter', 'filter[name]=a', 'filter[name]'],
    ['a Boolean filter value other than true or false', 'filter[revoked]=yes', 'filter[revoked]'],
    ['a user ID that is not a UUID', 'filter[user]=me', 'filter[user]'],
    ['an unknown sort key', 'sort=name', 'sort'],
    ['an unknown include value', 'include=roles', 'include'],
    ['an unknown field', 'fields[api-keys]=key', 'fields[api-keys]'],
    ['a cursor', 'page[after]=', 'page[after]'],
  ]);
});
