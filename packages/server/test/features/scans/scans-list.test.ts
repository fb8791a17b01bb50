import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ApiResponse, type Client, createClient, type Resource } from '../../support/client.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import {
  DELETED_ACCOUNT,
  type ListedScan,
  type SeededScans,
  scanFile,
  seedScans,
} from '../../support/listed-scans.ts';
import { createSecondTenant, type SecondTenant } from '../../support/second-tenant.ts';
import { idsInOrder } from '../../support/sort-order.ts';
import { walkPages } from '../../support/walk-pages.ts';

describe('the scans list', () => {
  let service: SharedService;
  let client: Client;
  let second: SecondTenant;
  let scans: SeededScans;
  let known: readonly ListedScan[];
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
    second = await createSecondTenant(service);
    scans = await seedScans(service, client, second.client);
    await service.sql('update providers set deleted_at = now() where account = $1', [DELETED_ACCOUNT]);
    known = scans.all.filter(({ account }) => account !== DELETED_ACCOUNT);
  });
  after(() => service.leave());

  const list = async (query = ''): Promise<ApiResponse<Resource[]>> => {
    const response = await client.get<Resource[]>(`/scans?${query}`);
    assert.equal(response.status, 200, `${query}: ${JSON.stringify(response.body)}`);
    return response;
  };
  const idsOf = ({ body }: ApiResponse<Resource[]>) => body.data.map(({ id }) => id);
  /** Returns the IDs of all scans that match this query, in any order. */
  const found = async (query: string) => idsOf(await list(`page[size]=1000&${query}`)).sort();
  const where = (condition: (scan: ListedScan) => boolean) =>
    known
      .filter(condition)
      .map(({ id }) => id)
      .sort();
  const ordered = (keys: readonly string[]) =>
    idsInOrder(known, keys, ({ inserted_at, records, failed }) => ({ inserted_at, records, failed }));
  const one = (condition: (scan: ListedScan) => boolean) => known.find(condition) ?? assert.fail();

  describe('pagination', () => {
    it('lists the newest scans first, and lists each scan only once even if timestamps are equal', async () => {
      assert.equal((await list()).body.meta.pagination.count, known.length);
      assert.deepEqual(idsOf(await list()), ordered(['-inserted_at']));
      const pages = await walkPages(service, await list('page[size]=2'), 'next');
      assert.deepEqual(pages.flatMap(idsOf), ordered(['-inserted_at']));
    });

    it('lists a scan exactly as GET /scans/{id} returns it', async () => {
      for (const scan of (await list()).body.data) {
        const { status, body } = await client.get<Resource>(`/scans/${scan.id}`);
        assert.deepEqual([status, body.data], [200, scan]);
        assert.equal(scan.links.self, `${service.url}/api/v1/scans/${scan.id}`);
      }
    });
  });

  it('returns the provider, the upload and the counts of each scan', async () => {
    for (const { id, attributes, relationships } of (await list()).body.data) {
      const scan = one((candidate) => candidate.id === id);
      const { uid, inserted_at, records, failed } = scan;
      assert.deepEqual(
        [attributes.uid, attributes.inserted_at, attributes.records, attributes.failed],
        [uid, inserted_at, records, failed],
      );
      const provider = scans.providerIds.get(`${scan.type}/${scan.account}`);
      assert.deepEqual(relationships.provider?.data, { type: 'providers', id: provider });
      assert.deepEqual(relationships.ingestion?.data, { type: 'ingestions', id: scan.ingestion });
      assert.equal(
        relationships.ingestion?.links.related,
        `${service.url}/api/v1/ingestions/${scan.ingestion}`,
      );
    }
  });

  describe('sorting', () => {
    for (const key of ['inserted_at', 'records', 'failed']) {
      it(`sorts scans by ${key} in ascending and descending order`, async () => {
        assert.deepEqual(idsOf(await list(`sort=${key}`)), ordered([key]));
        assert.deepEqual(idsOf(await list(`sort=-${key}`)), ordered([`-${key}`]));
      });
    }

    it('sorts scans by several keys, and uses later keys to break ties', async () => {
      for (const keys of [
        ['records', '-failed'],
        ['-failed', 'inserted_at'],
      ]) {
        assert.deepEqual(idsOf(await list(`sort=${keys.join(',')}`)), ordered(keys));
        assert.notDeepEqual(ordered(keys), ordered(keys.slice(0, 1)));
      }
    });
  });

  describe('filters', () => {
    it('filters scans by one or more uploads', async () => {
      const [a = '', b = ''] = new Set(known.map(({ ingestion }) => ingestion));
      assert.deepEqual(
        await found(`filter[ingestion]=${a}`),
        where(({ ingestion }) => ingestion === a),
      );
      assert.deepEqual(
        await found(`filter[ingestion__in]=${a},${b}`),
        where(({ ingestion }) => ingestion === a || ingestion === b),
      );
    });

    it('filters scans by one or more provider IDs, provider types or accounts', async () => {
      const idOf = (provider: string) => scans.providerIds.get(provider) ?? assert.fail();
      assert.deepEqual(
        await found(`filter[provider]=${idOf('aws/111')}`),
        where(({ type, account }) => type === 'aws' && account === '111'),
      );
      assert.deepEqual(
        await found(`filter[provider__in]=${idOf('gcp/111')},${idOf('aws/222')}`),
        where(({ type, account }) => type === 'gcp' || account === '222'),
      );
      assert.deepEqual(
        await found('filter[provider_type]=aws'),
        where(({ type }) => type === 'aws'),
      );
      assert.deepEqual(
        await found('filter[provider_type__in]=gcp,azure'),
        where(({ type }) => type === 'gcp'),
      );
      assert.deepEqual(
        await found('filter[account]=111'),
        where(({ account }) => account === '111'),
      );
      assert.deepEqual(
        await found('filter[account__in]=222,333'),
        where(({ account }) => account === '222'),
      );
      assert.deepEqual(await found('filter[account]=11'), []);
    });

    it('filters scans by one or more scan IDs across uploads', async () => {
      const expected = where(({ uid }) => uid === 'night-3');
      assert.equal(expected.length, 2);
      assert.deepEqual(await found('filter[uid]=night-3'), expected);
      assert.deepEqual(
        await found('filter[uid__in]=night-2,Night_9'),
        where(({ uid }) => uid === 'night-2' || uid === 'Night_9'),
      );
      assert.deepEqual(await found('filter[uid]=night'), []);
    });

    it('filters scans by UTC day with microsecond precision', async () => {
      const day = ({ inserted_at }: ListedScan) => inserted_at.slice(0, 10);
      const on = where((scan) => day(scan) === '2026-03-01');
      assert.equal(on.length, 3);
      assert.deepEqual(await found('filter[inserted_at]=2026-03-01'), on);
      assert.deepEqual(
        await found('filter[inserted_at__gte]=2026-03-01'),
        where((scan) => day(scan) >= '2026-03-01'),
      );
      assert.deepEqual(
        await found('filter[inserted_at__lte]=2026-03-01'),
        where((scan) => day(scan) <= '2026-03-01'),
      );
    });

    it('searches scan IDs, accounts and file names case-insensitively and literally', async () => {
      for (const [term, condition] of [
        ['NIGHT_', ({ uid }) => uid === 'Night_9'],
        ['night-', ({ uid }) => uid?.startsWith('night-') === true],
        ['11', ({ account }) => account === '111'],
        ['100%', ({ file }) => file === '100% done.json'],
        ['snake_', ({ file }) => file === 'Snake_Case.json'],
        ['SNAKE', ({ file }) => file.toLowerCase().startsWith('snake')],
        ['no such scan', () => false],
      ] satisfies [string, (scan: ListedScan) => boolean][]) {
        assert.deepEqual(await found(`filter[search]=${encodeURIComponent(term)}`), where(condition), term);
      }
    });

    it('combines scan filters and counts only the matching scans', async () => {
      const expected = where(
        ({ type, account, file }) => type === 'aws' && account === '111' && file === 'plain.json',
      );
      const query = 'filter[provider_type]=aws&filter[account]=111&filter[search]=plain';
      assert.deepEqual(await found(query), expected);
      assert.equal((await list(query)).body.meta.pagination.count, expected.length);
    });
  });

  describe('related resources', () => {
    it('includes each provider and upload of the listed scans once, and only on request', async () => {
      assert.equal('included' in (await list()).body, false);
      for (const [include, types] of [
        ['provider', ['providers']],
        ['ingestion', ['ingestions']],
        ['ingestion,provider', ['ingestions', 'providers']],
      ] as const) {
        const { body } = await list(`include=${include}`);
        const expected = body.data

          .flatMap(({ relationships }) => Object.values(relationships).map(({ data }) => data))
          .filter(({ type }) => types.some((wanted) => wanted === type))
          .map(({ type, id }) => `${type} ${id}`);
        assert.deepEqual(
          body.included?.map(({ type, id }) => `${type} ${id}`).sort(),
          [...new Set(expected)].sort(),
        );
      }
      assert.deepEqual((await list('include=provider,ingestion&filter[uid]=none')).body.included, []);
    });

    it('includes the provider and the upload of a single scan', async () => {
      const { id, ingestion } = one(({ uid }) => uid === 'night-2');
      const { body } = await client.get<Resource>(`/scans/${id}?include=ingestion,provider`);
      const { included = [] } = body;
      const job = (await client.get<Resource>(`/ingestions/${ingestion}`)).body.data;
      assert.deepEqual(
        included.find(({ type }) => type === 'ingestions'),
        job,
      );
      assert.deepEqual(included.map(({ type }) => type).sort(), ['ingestions', 'providers']);
      assert.equal(included.find(({ type }) => type === 'providers')?.id, scans.providerIds.get('aws/111'));
    });

    it('returns only the requested fields of scans and included uploads', async () => {
      const query = 'fields[scans]=records,new&fields[ingestions]=status&include=ingestion&sort=-failed';
      const { body } = await list(query);
      for (const { attributes } of body.data) assert.deepEqual(Object.keys(attributes), ['records', 'new']);
      for (const { attributes } of body.included ?? []) assert.deepEqual(attributes, { status: 'completed' });
      const { body: whole } = await list();
      for (const name of Object.keys(whole.data[0]?.attributes ?? {})) {
        const { data } = (await list(`fields[scans]=${name}`)).body;
        assert.deepEqual(
          data.map(({ attributes }) => attributes),
          whole.data.map(({ attributes }) => ({ [name]: attributes[name] })),
        );
      }
    });
  });

  it("hides a deleted provider's scans, and lists new scans when the account is uploaded again", async () => {
    const deleted = scans.all.find(({ account }) => account === DELETED_ACCOUNT) ?? assert.fail();
    assert.equal((await client.get(`/scans/${deleted.id}`)).status, 404);
    for (const query of [
      '',
      `filter[account]=${DELETED_ACCOUNT}`,
      `filter[provider]=${scans.providerIds.get(`azure/${DELETED_ACCOUNT}`)}`,
    ])
      assert.ok(!(await found(query)).includes(deleted.id), query);
    const { id } = await client.ingest(scanFile([[`azure/${DELETED_ACCOUNT}`, 'night-3', 1, 1, 0]]));
    const { body } = await list(`filter[ingestion]=${id}`);
    assert.deepEqual(
      body.data.map(({ attributes }) => attributes.new),
      [2],
    );
    await service.sql('update providers set deleted_at = now() where account = $1 and deleted_at is null', [
      DELETED_ACCOUNT,
    ]);
    assert.deepEqual(
      await found(''),
      where(() => true),
    );
  });

  it("hides another tenant's scans and returns the same 404 as for unknown scans", async () => {
    const { body } = await second.client.get<Resource[]>('/scans?include=ingestion,provider');
    assert.deepEqual(
      body.data.map(({ attributes }) => attributes.failed),
      [5],
    );
    const foreign = body.data[0] ?? assert.fail();
    assert.deepEqual(await found(`filter[ingestion]=${foreign.relationships.ingestion?.data.id}`), []);
    assert.deepEqual(await found(`filter[provider]=${foreign.relationships.provider?.data.id}`), []);
    const details: unknown[] = [];
    for (const id of [foreign.id, '0198a000-0000-7000-8000-000000000001', 'no-uuid']) {
      const { status, body } = await client.get(`/scans/${id}`);
      assert.equal(status, 404);
      details.push(body.errors.map(({ id: _, ...error }) => error));
    }
    assert.deepEqual(details, [details[0], details[0], details[0]]);
  });

  it('logs no errors for scan list requests', () => {
    assert.equal(service.output.stderr, '');
  });
});
