import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { created, postRole, type Role } from '../../support/access-resources.ts';
import { type Client, createClient } from '../../support/client.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { itRefusesQueries } from '../../support/wrong-queries.ts';

describe('the roles list', () => {
  let service: SharedService;
  let client: Client;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
    created(await postRole(client, 'listed c', ['manage_scans']));
    created(await postRole(client, 'listed a', ['manage_scans', 'manage_billing']));
    created(await postRole(client, 'LISTED b%'));
  });
  after(() => service.leave());

  const listed = async (query: string) =>
    (await client.get<Role[]>(`/roles?${query}`)).body.data.map(({ attributes }) => attributes.name.slice(7));

  it('sorts roles by name by default, or by the requested key', async () => {
    assert.deepEqual(await listed('filter[search]=listed&sort=inserted_at'), ['c', 'a', 'b%']);
    assert.deepEqual(await listed('filter[search]=listed&sort=-inserted_at'), ['b%', 'a', 'c']);
    const byName = await listed('filter[search]=listed');
    assert.deepEqual(byName, ['a', 'b%', 'c']);
    assert.deepEqual(await listed('filter[search]=listed&sort=-name'), byName.reverse());
  });

  it('filters roles by permission and search text', async () => {
    assert.deepEqual(await listed('filter[search]=listed&filter[permission]=manage_scans'), ['a', 'c']);
    assert.deepEqual(await listed('filter[search]=listed&filter[permission]=manage_billing'), ['a']);
    assert.deepEqual(await listed('filter[search]=%25'), ['b%']);
  });

  it('returns only the requested fields of roles', async () => {
    const { body } = await client.get<Role[]>(
      '/roles?filter[search]=listed&fields[roles]=users&page[size]=1',
    );
    assert.deepEqual(
      body.data.map(({ attributes }) => attributes),
      [{ users: 0 }],
    );
    assert.deepEqual(body.meta.pagination, { page: 1, pages: 3, count: 3 });
  });

  itRefusesQueries('/roles', () => client, [
    ['an unknown permission', 'filter[permission]=all', 'filter[permission]'],
    ['an unknown filter', 'filter[users]=1', 'filter[users]'],
    ['an unknown sort key', 'sort=users', 'sort'],
    ['an include parameter', 'include=users', 'include'],
    ['fields of another resource type', 'fields[users]=email', 'fields[users]'],
  ]);
});
