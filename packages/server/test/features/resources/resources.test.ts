import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient, type Resource } from '../../support/client.ts';
import { deleteButHold, type HeldProvider } from '../../support/held-provider.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { record } from '../../support/records.ts';
import { assertRefused } from '../../support/refusal.ts';
import { createSecondTenant } from '../../support/second-tenant.ts';
import { itRefusesQueries } from '../../support/wrong-queries.ts';

const resource = (uid: string, members: Record<string, unknown> = {}) => ({
  uid,
  name: `Name of ${uid}`,
  type: 'Bucket',
  region: 'eu-west-1',
  group: { name: 's3' },
  labels: ['env:prod'],
  ...members,
});

let count = 0;
function finding(account: string, resources: readonly object[], members: Record<string, unknown> = {}) {
  count += 1;
  return record({
    time: 1_780_000_000 + count,
    metadata: { event_code: `check_${count % 3}` },
    finding_info: { uid: `finding-${count}`, title: 'Title' },
    cloud: { provider: account.startsWith('az') ? 'azure' : 'aws', region: null, account: { uid: account } },
    resources,
    ...members,
  });
}

describe('resources', () => {
  let service: SharedService;
  let client: Client;
  let deleted: HeldProvider;
  /** Resources of the deleted provider and of another tenant. */
  let hidden: readonly { readonly id: string }[];
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
    const second = await createSecondTenant(service);
    await client.ingest([
      finding('111', [resource('web-1')], { severity_id: 5 }),
      finding('111', [resource('web-1')], { severity_id: 4 }),
      finding('111', [resource('web-1')], { severity_id: 4, status_code: 'PASS' }),
      finding('111', [resource('web-1')], { severity_id: 4, status: 'Suppressed', status_id: 3 }),
      finding('111', [
        resource('db_100%', { type: 'Database', region: 'us-east-1', labels: ['env:dev', 'owner:a'] }),
      ]),
      finding('222', [
        resource('web-1', { name: 'Name of web-1b', group: { name: 'ec2' } }),
        resource('second', { name: 'ΟΔΟΣ İstanbul', type: undefined }),
      ]),
      finding('az-1', [
        resource('vault', { type: 'Vault', region: undefined, group: undefined, labels: [] }),
      ]),
      finding('gone', [resource('hidden')]),
    ]);
    await second.client.ingest([finding('111', [resource('theirs')])]);
    const [provider] = await service.sql<{ id: string }>(
      `select id from providers where account = 'gone' and tenant_id = '${service.tenantId}'`,
    );
    hidden = await service.ownerSql<{ id: string }>(
      `select id from resources where uid in ('hidden', 'theirs')`,
    );
    deleted = await deleteButHold(service, provider?.id ?? '');
  });
  after(async () => {
    await deleted.letGo();
    await service.leave();
  });

  const list = async (query = '') => {
    const response = await client.get<Resource[]>(`/resources?${query}`);
    assert.equal(response.status, 200, JSON.stringify(response.body));
    return response.body;
  };
  const found = async (query: string) =>
    (await list(query)).data.map(({ attributes: { account, uid } }) => `${account} ${uid}`);
  const one = async (account: string, uid: string) =>
    (await list(`filter[account]=${account}`)).data.find(({ attributes }) => attributes.uid === uid) ??
    assert.fail();

  it('lists the resources of live providers by name', async () => {
    const names = ['111 db_100%', 'az-1 vault', '111 web-1', '222 web-1', '222 second'];
    assert.deepEqual(await found(''), names);
    assert.deepEqual(await found('sort=-name'), names.toReversed());
    assert.equal((await list()).meta.pagination.count, names.length);
    const pages: string[] = [];
    for (let after = ''; ; ) {
      const { data, links } = await list(`page[size]=2&page[after]=${after}`);
      pages.push(...data.map(({ attributes: { account, uid } }) => `${account} ${uid}`));
      const next = links?.next;
      if (typeof next !== 'string') break;
      after = new URL(next).searchParams.get('page[after]') ?? '';
    }
    assert.deepEqual(pages, names);
  });

  it('returns a resource with the attributes of its latest record and counts of its findings', async () => {
    const listed = await one('111', 'web-1');
    const { body } = await client.get<Resource>(`/resources/${listed.id}`);
    assert.deepEqual(body.data, listed);
    assert.deepEqual(listed.attributes, {
      uid: 'web-1',
      name: 'Name of web-1',
      type: 'Bucket',
      region: 'eu-west-1',
      service: 's3',
      labels: ['env:prod'],
      provider_type: 'aws',
      account: '111',
      account_alias: null,
      last_seen_at: new Date(1_780_000_004_000).toISOString().replace('Z', '000Z'),
      findings: {
        total: 4,
        failing: 2,
        by_severity: {
          ...{ unknown: 0, informational: 0, low: 0, medium: 0, high: 1, critical: 1, fatal: 0, other: 0 },
        },
      },
    });
  });

  it('counts and lists a finding for each resource that its record names', async () => {
    for (const uid of ['web-1', 'second']) {
      const found = await one('222', uid);
      assert.equal((found.attributes.findings as { readonly total: number }).total, 1);
      const url = new URL(found.relationships.findings?.links.related ?? '');
      const { body } = await client.get<Resource[]>(`/findings${url.search}`);
      assert.equal(body.data.length, 1);
    }
  });

  it('filters resources', async () => {
    const filters: [string, readonly string[]][] = [
      ['filter[account]=222', ['222 web-1', '222 second']],
      ['filter[provider_type]=azure', ['az-1 vault']],
      ['filter[service]=ec2', ['222 web-1']],
      ['filter[region]=us-east-1', ['111 db_100%']],
      ['filter[type__in]=Vault,Database', ['111 db_100%', 'az-1 vault']],
      ['filter[service]=', ['az-1 vault']],
      ['filter[region]=', ['az-1 vault']],
      ['filter[type]=', ['222 second']],
      ['filter[label]=owner:a', ['111 db_100%']],
      ['filter[label__in]=owner:a,env:dev', ['111 db_100%']],
      ['filter[search]=WEB name', ['111 web-1', '222 web-1']],
      ['filter[search]=b_100%25', ['111 db_100%']],
      ['filter[search]=we', ['111 web-1', '222 web-1']],
      ['filter[search]=eb', []],
      ['filter[search]=ΟΔΟΣ', ['222 second']],
      ['filter[search]=İstanbul', ['222 second']],
      ['filter[search]=İs', ['222 second']],
      ['filter[account]=gone', []],
    ];
    for (const [query, expected] of filters) assert.deepEqual(await found(query), expected, query);
    const { data } = (await one('az-1', 'vault')).relationships.provider ?? assert.fail();
    assert.deepEqual(await found(`filter[provider]=${data.id}`), ['az-1 vault']);
  });

  it('sorts resources by the time of their latest record', async () => {
    const times = (await list('sort=-last_seen_at')).data.map(({ attributes }) =>
      String(attributes.last_seen_at),
    );
    assert.equal(times.length, 5);
    assert.deepEqual(times, times.toSorted().toReversed());
  });

  it('includes the resources of findings and the providers of resources', async () => {
    const { body } = await client.get<Resource[]>('/findings?include=resource&filter[account]=111');
    const uids = body.included?.map(({ attributes }) => attributes.uid);
    assert.deepEqual(uids?.toSorted(), ['db_100%', 'web-1']);
    const { included } = await list('include=provider');
    assert.deepEqual(new Set(included?.map(({ type }) => type)), new Set(['providers']));
  });

  it('omits the counts unless they are selected', async () => {
    const { data } = await list('fields[resources]=uid,name');
    for (const { attributes } of data) assert.deepEqual(Object.keys(attributes).sort(), ['name', 'uid']);
  });

  it("returns 404 for unknown resources, deleted providers' resources and resources of other tenants", async () => {
    assert.equal(hidden.length, 2);
    for (const id of [...hidden.map((row) => row.id), 'no-uuid'])
      assertRefused(await client.get(`/resources/${id}`), {
        status: 404,
        code: 'not_found',
        detail: /No resource/,
      });
  });

  itRefusesQueries('/resources', () => client, [
    ['an unknown filter', 'filter[color]=red', 'filter[color]'],
    ['an unknown sort key', 'sort=type', 'sort'],
  ]);
});
