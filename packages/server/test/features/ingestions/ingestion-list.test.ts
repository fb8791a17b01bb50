import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ApiResponse, type Client, createClient, type Ingestion } from '../../support/client.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { type ListedJob, seedJobs } from '../../support/listed-jobs.ts';
import { createSecondTenant, type SecondTenant } from '../../support/second-tenant.ts';
import { idsInOrder } from '../../support/sort-order.ts';
import { walkPages } from '../../support/walk-pages.ts';

type Listed = ApiResponse<Ingestion[]>;

describe('the ingestions list', () => {
  let service: SharedService;
  let client: Client;
  let second: SecondTenant;
  let jobs: ListedJob[];
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
    second = await createSecondTenant(service);
    jobs = await seedJobs(service, client, second.client);
  });
  after(() => service.leave());

  const list = async (query = ''): Promise<Listed> => {
    const response = await client.get<Ingestion[]>(`/ingestions?${query}`);
    assert.equal(response.status, 200, query);
    return response;
  };
  const idsOf = ({ body }: Listed) => body.data.map(({ id }) => id);
  const idOfFile = (name: string) => {
    const job = jobs.find(({ file_name }) => file_name === name);
    assert.ok(job !== undefined, name);
    return job.id;
  };
  /** Returns the IDs of all jobs that match this query, in any order. */
  const found = async (query: string) => idsOf(await list(`page[size]=1000&${query}`)).sort();
  const where = (condition: (job: ListedJob) => boolean) =>
    jobs
      .filter(condition)
      .map(({ id }) => id)
      .sort();
  const ordered = (keys: readonly string[]) =>
    idsInOrder(jobs, keys, ({ inserted_at, requested_at, started_at, completed_at }) => ({
      inserted_at,
      requested_at,
      started_at,
      completed_at,
    }));
  const address = (query: string) => `${service.url}/api/v1/ingestions?${query}`;
  describe('pages', () => {
    it('lists the 10 newest ingestions on the first page, with the total count and page links', async () => {
      const { body, headers } = await list();
      assert.deepEqual(idsOf({ status: 200, headers, body }), ordered(['-inserted_at']).slice(0, 10));
      assert.deepEqual(body.meta, { version: 'v1', pagination: { page: 1, pages: 3, count: jobs.length } });
      const page = (number: number) => address(`page%5Bnumber%5D=${number}&page%5Bsize%5D=10`);
      assert.deepEqual(body.links, {
        self: page(1),
        first: page(1),
        prev: null,
        next: page(2),
        last: page(3),
      });
      const [job] = body.data;
      assert.ok(job !== undefined);
      assert.deepEqual(job, (await client.get(`/ingestions/${job.id}`)).body.data);
    });

    it('lists every ingestion once through next links, and the same pages through prev links', async () => {
      // Many jobs have the same started_at, and some have none.
      const forth = await walkPages(service, await list('sort=started_at&page[size]=4'), 'next');
      assert.deepEqual(forth.flatMap(idsOf), ordered(['started_at']));
      const last = forth.at(-1);
      assert.ok(last !== undefined);
      assert.equal(last.body.links.self, last.body.links.last);

      const back = await walkPages(service, last, 'prev');
      assert.deepEqual(back.map(idsOf), forth.map(idsOf).reverse());
      assert.equal(back.at(-1)?.body.links.self, last.body.links.first);
    });

    it('keeps filters, sort and fields in the links of the ingestions list, and encodes the brackets', async () => {
      const query =
        'filter[status__in]=completed,failed&sort=-requested_at&fields[ingestions]=status&page[size]=2';
      const pages = await walkPages(service, await list(query), 'next');
      for (const { body } of pages) {
        for (const link of Object.values(body.links)) assert.doesNotMatch(link ?? '', /[[\]]/);
        for (const { attributes } of body.data) assert.deepEqual(Object.keys(attributes), ['status']);
      }
      const ended = where(({ completed_at }) => completed_at !== null);
      assert.deepEqual(
        pages.flatMap(idsOf),
        ordered(['-requested_at']).filter((id) => ended.includes(id)),
      );
    });

    it('returns an empty page beyond the end of the ingestions list, with a link to the last page', async () => {
      const { body } = await list('page[number]=9&page[size]=20');
      assert.deepEqual([body.data, body.meta.pagination], [[], { page: 9, pages: 2, count: jobs.length }]);
      assert.deepEqual([body.links.prev, body.links.next], [body.links.last, null]);
      assert.match(body.links.last ?? '', /number%5D=2&/);
      assert.equal((await list('page[number]=1000000000&page[size]=1000')).body.data.length, 0);
    });

    it('returns all ingestions on a page of the maximum size, and the remainder on the last page of the default size', async () => {
      assert.equal((await list('page[size]=1000')).body.data.length, jobs.length);
      assert.equal((await list('page[number]=3')).body.data.length, jobs.length - 20);
    });
  });

  describe('sorting', () => {
    for (const key of ['inserted_at', 'requested_at', 'started_at', 'completed_at']) {
      it(`sorts ingestions by ${key} in both directions, with missing values last`, async () => {
        assert.deepEqual(idsOf(await list(`page[size]=1000&sort=${key}`)), ordered([key]));
        assert.deepEqual(idsOf(await list(`page[size]=1000&sort=-${key}`)), ordered([`-${key}`]));
        assert.notDeepEqual(ordered([key]), ordered([`-${key}`]));
      });
    }

    it('sorts ingestions by several keys', async () => {
      for (const keys of [
        ['started_at', '-requested_at'],
        ['-started_at', 'completed_at', 'inserted_at'],
      ]) {
        assert.deepEqual(idsOf(await list(`page[size]=1000&sort=${keys.join(',')}`)), ordered(keys));
        assert.notDeepEqual(ordered(keys), ordered(keys.slice(0, 1)));
      }
    });
  });

  describe('filters', () => {
    it('filters ingestions by one or more statuses', async () => {
      for (const status of ['pending', 'processing', 'completed', 'failed']) {
        const expected = where((job) => job.status === status);
        assert.ok(expected.length > 0);
        assert.deepEqual(await found(`filter[status]=${status}`), expected);
      }
      const running = where(({ status }) => status === 'pending' || status === 'processing');
      assert.deepEqual(await found('filter[status__in]=pending,processing'), running);
      assert.deepEqual(await found('filter[status__in]=pending,%20processing'), running);
      assert.deepEqual(
        await found('filter[status__in]=failed'),
        where(({ status }) => status === 'failed'),
      );
    });

    for (const key of ['inserted_at', 'completed_at'] as const) {
      it(`filters ingestions by the UTC day of ${key} with microsecond precision`, async () => {
        const day = (job: ListedJob) => job[key]?.slice(0, 10) ?? '';
        const on = where((job) => day(job) === '2026-03-01');
        assert.equal(on.length, 2);
        assert.deepEqual(await found(`filter[${key}]=2026-03-01`), on);
        assert.deepEqual(
          await found(`filter[${key}__gte]=2026-03-01`),
          where((job) => day(job) >= '2026-03-01'),
        );
        assert.deepEqual(
          await found(`filter[${key}__lte]=2026-03-01`),
          where((job) => day(job) !== '' && day(job) <= '2026-03-01'),
        );
        assert.deepEqual(await found(`filter[${key}__gte]=2026-03-01&filter[${key}__lte]=2026-03-01`), on);
        for (const date of ['2025-12-31', '0001-01-01', '9999-12-31', '2024-02-29'])
          assert.deepEqual(await found(`filter[${key}]=${date}`), []);
      });
    }

    it('searches ingestion file names literally and case-insensitively', async () => {
      for (const [term, names] of [
        ['100%', ['100% done.json']],
        ['%', ['100% done.json']],
        ['snake_', ['Snake_Case.json']],
        ['SNAKE', ['Snake_Case.json', 'snake-case.json']],
        ['\\', ['back\\slash a=b.json']],
        ['prÜfung', ['Prüfung & more.json']],
        ['fung & m', ['Prüfung & more.json']],
        ['no such file', []],
        ["'", []],
      ] as const) {
        assert.deepEqual(
          await found(`filter[search]=${encodeURIComponent(term)}`),
          names.map(idOfFile).sort(),
          term,
        );
      }
    });

    it('decodes + as a space and keeps = in a search value', async () => {
      assert.deepEqual(await found('filter[search]=slash+a=b'), [idOfFile('back\\slash a=b.json')]);
      assert.deepEqual(await found('filter[search]=slash+a=c'), []);
      assert.deepEqual(await found('filter[search]=slash%2Ba'), []);
    });

    it('searches ingestion IDs case-insensitively', async () => {
      const id = idOfFile('100% done.json');
      for (const term of [id, id.toUpperCase(), id.slice(-12)])
        assert.deepEqual(await found(`filter[search]=${term}`), [id]);
    });

    it('combines ingestion filters and counts only the matching ingestions', async () => {
      const query = 'filter[status]=completed&filter[search]=plain&filter[inserted_at__gte]=2026-05-01';
      const expected = where(
        ({ status, file_name, inserted_at }) =>
          status === 'completed' && file_name.includes('plain') && inserted_at >= '2026-05-01',
      );
      assert.ok(expected.length > 1 && expected.length < jobs.length);
      assert.deepEqual(await found(query), expected);
      const { body } = await list(`${query}&page[size]=1`);
      assert.deepEqual(body.meta.pagination, { page: 1, pages: expected.length, count: expected.length });
    });
  });

  it('returns only the fields that fields[ingestions] selects', async () => {
    for (const [fields, names] of [
      ['status', ['status']],
      ['completed_at,summary', ['summary', 'completed_at']],
      ['', []],
      ['status,summary,requested_at,started_at,completed_at', Object.keys(jobs[0]?.attributes ?? {})],
    ] as const) {
      for (const { type, id, attributes } of (await list(`fields[ingestions]=${fields}`)).body.data) {
        assert.deepEqual([type, Object.keys(attributes)], ['ingestions', names]);
        assert.ok(id !== '');
      }
    }
  });

  it("does not list another tenant's ingestions", async () => {
    const { body } = await second.client.get<Ingestion[]>('/ingestions');
    assert.equal(body.meta.pagination.count, 1);
    const [foreign] = body.data;
    assert.ok(foreign !== undefined);
    assert.ok(!jobs.some(({ id }) => id === foreign.id));
    assert.deepEqual(await found(`filter[search]=${foreign.id}`), []);
    assert.deepEqual(
      (await second.client.get<Ingestion[]>(`/ingestions?filter[search]=plain`)).body.data,
      [],
    );
  });
});
