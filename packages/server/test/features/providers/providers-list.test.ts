import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient } from '../../support/client.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { createKey } from '../../support/operator.ts';
import { record } from '../../support/records.ts';
import { assertRefused } from '../../support/refusal.ts';
import { createSecondTenant, type SecondTenant } from '../../support/second-tenant.ts';
import { TIMESTAMP } from '../../support/timestamp.ts';
import { walkPages } from '../../support/walk-pages.ts';
import { itRefusesQueries } from '../../support/wrong-queries.ts';

interface Provider {
  readonly type: string;
  readonly id: string;
  readonly attributes: {
    readonly type: string;
    readonly account: string;
    readonly name: string | null;
    readonly alias: string | null;
    readonly inserted_at: string;
    readonly last_seen_at: string | null;
    readonly findings: { readonly total: number; readonly failing: number };
  };
  readonly relationships: Record<string, { readonly links: { readonly related: string } }>;
  readonly links: Record<string, string>;
}

const UNKNOWN = '0198a000-0000-7000-8000-00000000abcd';
const finding = (provider: string, uid: string, members: Record<string, unknown> = {}, name?: string) =>
  record({ cloud: { provider, account: { uid, name } }, ...members });
const withUid = (uid: string) => ({ finding_info: { uid } });

describe('the providers list', () => {
  let service: SharedService;
  let client: Client;
  let second: SecondTenant;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
    second = await createSecondTenant(service);
    // Uploads are sequential, so that the order by inserted_at differs from the order by type and account.
    await client.ingest([finding('azure', '111', {}, 'Main 100%')]);
    await client.ingest([
      finding('aws', '222', { ...withUid('a'), status_code: 'PASS', time: 1_780_000_300.25 }, 'Staging'),
      finding('aws', '222', { ...withUid('b') }, 'Staging'),
      finding('aws', '222', { ...withUid('c'), status_id: 3 }, 'Staging'),
      finding('aws', '222', { ...withUid('d'), status_code: 'MANUAL' }, 'Staging'),
    ]);
    await client.ingest([finding('aws', '111', { ...withUid('a'), status_code: 'PASS' }, 'Production')]);
    await client.ingest([finding('github', 'snake_case')]);
    await client.ingest([finding('github', 'gone')]);
    await second.client.ingest(['a', 'b', 'c'].map((uid) => finding('aws', '111', withUid(uid), 'Theirs')));
    for (const [account, alias] of [
      ['222', 'Tests'],
      ['snake_case', 'Backend'],
    ])
      await service.sql('update providers set alias = $2 where account = $1', [account, alias]);
    const [deleted] = await service.sql(`select id from providers where account = 'gone'`);
    await service.sluiceJson('provider', 'delete', '--tenant', service.tenantId, String(deleted?.id));
  });
  after(() => service.leave());

  const list = async (query = '', as = client) => {
    const response = await as.get<Provider[]>(`/providers?${query}`);
    assert.equal(response.status, 200, query);
    return response;
  };
  const found = async (query = '', as = client) =>
    (await list(query, as)).body.data.map(({ attributes: { type, account } }) => `${type}/${account}`);
  const ALL = ['aws/111', 'aws/222', 'azure/111', 'github/snake_case'];

  it("lists the tenant's providers by type and account, and ignores deleted providers", async () => {
    assert.deepEqual(await found(), ALL);
    assert.equal((await list()).body.meta.pagination.count, 4);
    assert.deepEqual(await found('', second.client), ['aws/111']);
  });

  it('lists each provider with its finding counts and last-seen time, as GET /providers/{id} returns it without its products', async () => {
    const { data } = (await list('filter[account]=222')).body;
    const [provider] = data;
    assert.ok(provider !== undefined && data.length === 1);
    const self = `${service.url}/api/v1/providers/${provider.id}`;
    const related = `${service.url}/api/v1/findings?filter%5Bprovider%5D=${provider.id}`;
    const { inserted_at, ...attributes } = provider.attributes;
    assert.match(inserted_at, TIMESTAMP);
    assert.deepEqual(
      { ...provider, attributes },
      {
        type: 'providers',
        id: provider.id,
        attributes: {
          type: 'aws',
          account: '222',
          name: 'Staging',
          alias: 'Tests',
          last_seen_at: '2026-05-28T20:31:40.250000Z',
          findings: { total: 4, failing: 1 },
        },
        relationships: { findings: { links: { related } } },
        links: { self },
      },
    );
    for (const id of [provider.id, provider.id.toUpperCase()]) {
      const { data: single } = (await client.get<Provider>(`/providers/${id}`)).body;
      assert.deepEqual(single, { ...provider, attributes: { ...provider.attributes, products: [] } });
    }
  });

  it('does not count findings of other tenants or providers', async () => {
    const counts = (await list()).body.data.map(({ attributes: { findings } }) => findings);
    assert.deepEqual(counts, [
      { total: 1, failing: 0 },
      { total: 4, failing: 1 },
      { total: 1, failing: 1 },
      { total: 1, failing: 1 },
    ]);
    const [foreign] = (await list('', second.client)).body.data;
    assert.deepEqual(foreign?.attributes.findings, { total: 3, failing: 3 });
  });

  it('returns null as the last-seen time of a provider without findings', async () => {
    const [row] = await service.sql(
      `insert into providers (tenant_id, id, type, account) values ($1, gen_random_uuid(), 'empty', 'e') returning id`,
      [service.tenantId],
    );
    const { data } = (await client.get<Provider>(`/providers/${row?.id}`)).body;
    await service.sql('delete from providers where id = $1', [row?.id]);
    assert.deepEqual(data.attributes.findings, { total: 0, failing: 0 });
    assert.equal(data.attributes.last_seen_at, null);
  });

  for (const [sort, expected] of [
    ['type,-account', ['aws/222', 'aws/111', 'azure/111', 'github/snake_case']],
    ['-type,account', ['github/snake_case', 'azure/111', 'aws/111', 'aws/222']],
    ['account,-type', ['azure/111', 'aws/111', 'aws/222', 'github/snake_case']],
    ['-account,type', ['github/snake_case', 'aws/222', 'aws/111', 'azure/111']],
    ['alias,type', ['github/snake_case', 'aws/222', 'aws/111', 'azure/111']],
    ['-alias,-type', ['aws/222', 'github/snake_case', 'azure/111', 'aws/111']],
    ['inserted_at', ['azure/111', 'aws/222', 'aws/111', 'github/snake_case']],
    ['-inserted_at', ['github/snake_case', 'aws/111', 'aws/222', 'azure/111']],
  ] as const) {
    it(`sorts providers by ${sort}`, async () => assert.deepEqual(await found(`sort=${sort}`), expected));
  }

  for (const [filter, expected] of [
    ['filter[type]=aws', ['aws/111', 'aws/222']],
    ['filter[type__in]=azure,github', ['azure/111', 'github/snake_case']],
    ['filter[account]=111', ['aws/111', 'azure/111']],
    ['filter[account__in]=222,gone,snake_case', ['aws/222', 'github/snake_case']],
    ['filter[type]=aws&filter[account]=111', ['aws/111']],
    ['filter[alias]=Tests', ['aws/222']],
    ['filter[alias]=tests', []],
    ['filter[search]=111', ['aws/111', 'azure/111']],
    ['filter[search]=PROD', ['aws/111']],
    ['filter[search]=end', ['github/snake_case']],
    ['filter[search]=e_c', ['github/snake_case']],
    ['filter[search]=%25', ['azure/111']],
    ['filter[search]=aws', []],
    ['filter[search]=gone', []],
    ['filter[search]=Theirs', []],
  ] as const) {
    it(`filters providers by ${filter}`, async () => assert.deepEqual(await found(filter), expected));
  }

  it('returns every provider once across pages of providers with equal sort keys', async () => {
    const pages = await walkPages(service, await list('sort=type&page[size]=1'), 'next');
    const ids = pages.flatMap(({ body }) => body.data.map(({ id }) => id));
    assert.deepEqual([pages.length, new Set(ids).size], [4, 4]);
  });

  it('returns only the requested provider fields, with or without finding counts', async () => {
    for (const fields of ['alias', 'account,findings', 'last_seen_at', '']) {
      for (const { attributes } of (await list(`fields[providers]=${fields}`)).body.data)
        assert.deepEqual(Object.keys(attributes).join(), fields);
    }
    const { attributes } = (await list('filter[account]=222&fields[providers]=findings')).body.data[0] ?? {};
    assert.deepEqual(attributes, { findings: { total: 4, failing: 1 } });
  });

  itRefusesQueries('/providers', () => client, [
    ['an unknown filter', 'filter[name]=a', 'filter[name]'],
    ['an unsupported filter operator', 'filter[alias__in]=a', 'filter[alias__in]'],
    ['an unknown sort key', 'sort=findings', 'sort'],
    ['an unknown field', 'fields[providers]=deleted_at', 'fields[providers]'],
    ['an include parameter', 'include=findings', 'include'],
    ['a cursor', 'page[after]=', 'page[after]'],
  ]);

  it('returns the same 404 for provider IDs that are invalid, unknown, deleted or from another tenant', async () => {
    const [foreign] = (await list('', second.client)).body.data;
    const [deleted] = await service.sql(`select id from providers where account = 'gone'`);
    for (const id of ['nothing', UNKNOWN, foreign?.id, deleted?.id]) {
      const response = await client.get(`/providers/${id}`);
      assertRefused(response, {
        status: 404,
        code: 'not_found',
        detail: /^No provider has this ID\.$/,
      });
    }
  });

  it('lists providers for a key with only read_findings in a tenant without a subscription', async () => {
    const restricted = ['--permissions', 'read_findings'];
    const key = await createKey(service, service.tenantId, 'admin@localhost', ...restricted);
    await service.sluiceJson('subscription', 'set', '--tenant', service.tenantId, 'none');
    assert.deepEqual(await found('', client.as(key)), ALL);
    assert.equal((await client.as('sk_none.none').get('/providers')).status, 401);
  });
});
