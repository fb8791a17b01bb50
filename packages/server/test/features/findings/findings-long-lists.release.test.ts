import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient, type Resource } from '../../support/client.ts';
import { record } from '../../support/records.ts';
import { type Service, startService } from '../../support/service.ts';
import { walkPages } from '../../support/walk-pages.ts';

const START = 1_780_000_000;
/** More than the findings of the same time that are sorted instead of being read by id, and more than a sample of ids. */
const SAME_TIME = 11_000;
const OTHERS = 10_500;
const PAGE_SIZE = 1000;
const TIMES = ['first_seen_at', 'last_seen_at', 'status_changed_at'].flatMap((time) => [time, `-${time}`]);
/** With the columns by which findings are sorted that are otherwise equal. */
const COUNTED = {
  severity: ['severity', 'status', 'check_key', 'provider_id'],
  status: ['status', 'check_key', 'provider_id'],
} as const;

/** The others have different times before and after it. */
const timeOf = (at: number) => (at < SAME_TIME ? START + 3000 : START + (at % 9000));
const findingOf = (at: number, time = timeOf(at)) =>
  record({
    time,
    status_code: at % 5 === 0 ? 'FAIL' : 'PASS',
    // Two adjacent groups of a severity have fewer findings than four pages, but the first one has more than 2000.
    severity_id: at % 6,
    metadata: { event_code: `check_${at % 7}`, product: { name: 'Scanner' } },
    finding_info: { uid: `finding-${at}` },
    cloud: { account: { uid: `account-${at % 3}` } },
  });

describe('long lists of findings', () => {
  let service: Service;
  let client: Client;
  before(async () => {
    service = await startService();
    client = createClient(service.url, service.key);
    await client.ingest(Array.from({ length: SAME_TIME + OTHERS }, (_, at) => findingOf(at)));
    // Some findings have a newer time or status, so that the three times differ.
    await client.ingest(
      Array.from({ length: 4000 }, (_, at) => ({
        ...findingOf(at * 3, timeOf(at * 3) + 20_000),
        ...(at % 10 === 0 && { status_code: 'MANUAL' }),
      })),
    );
    await service.sql('vacuum analyze findings');
  });
  after(async () => await service.remove());

  /** The ids in the order of the list, according to a statement without the service. */
  const idsInOrder = async (sort: string, condition = 'true') => {
    const name = sort.replace('-', '');
    const columns: readonly string[] = [
      ...(name === 'severity' || name === 'status' ? COUNTED[name] : [name]),
      ...(name === 'id' ? [] : ['id']),
    ];
    const order = columns.map((column) => `${column}${sort.startsWith('-') ? ' desc' : ''}`).join(', ');
    const rows = await service.sql<{ id: string }>(
      `select id from findings where tenant_id = $1 and ${condition} order by ${order}`,
      [service.tenantId],
    );
    return rows.map(({ id }) => id);
  };

  const walk = async (query: string) => {
    const first = await client.get<Resource[]>(`/findings?${query}&page[size]=${PAGE_SIZE}&page[after]=`);
    assert.equal(first.status, 200, JSON.stringify(first.body.errors));
    const pages = await walkPages(service, first, 'next');
    return pages.flatMap(({ body }) => body.data.map(({ id }) => id));
  };

  for (const sort of TIMES) {
    it(`returns all pages of a list sorted by ${sort}`, async () => {
      assert.deepEqual(await walk(`sort=${sort}`), await idsInOrder(sort));
    });

    it(`returns all pages of a filtered list sorted by ${sort}`, async () => {
      const ids = await walk(`sort=${sort}&filter[status]=FAIL&filter[severity]=high`);
      assert.deepEqual(ids, await idsInOrder(sort, "status = 'FAIL' and severity = 4"));
    });

    it(`returns single pages of a list sorted by ${sort}`, async () => {
      const ids = await idsInOrder(sort);
      for (const number of [1, 2, 100, 120, 200, 240, 300, 420]) {
        const { body } = await client.get<Resource[]>(
          `/findings?sort=${sort}&page[size]=50&page[number]=${number}`,
        );
        const expected = ids.slice((number - 1) * 50, number * 50);
        assert.deepEqual(
          body.data.map(({ id }) => id),
          expected,
          `page ${number}`,
        );
      }
    });
  }

  for (const sort of ['severity', '-severity', 'status', '-status'])
    it(`returns all pages of a list sorted by ${sort}`, async () => {
      assert.deepEqual(await walk(`sort=${sort}`), await idsInOrder(sort));
    });

  it('returns all pages of a list with a filter that all findings match', async () => {
    assert.deepEqual(await walk('sort=first_seen_at&filter[muted]=false'), await idsInOrder('first_seen_at'));
  });

  describe('after a third of the findings was resolved', () => {
    const LISTS = [
      {
        state: 'open',
        condition: 'resolved_at is null',
        sorts: ['first_seen_at', '-last_seen_at', 'severity', 'id'],
      },
      { state: 'resolved', condition: 'resolved_at is not null', sorts: ['-status_changed_at', 'status'] },
      { state: 'open,resolved', condition: 'true', sorts: ['-first_seen_at', 'severity'] },
    ];
    before(async () => {
      const absent = findingOf(SAME_TIME + OTHERS + 1, START + 30_000);
      const account = { uid: 'account-2' };
      await client.ingest([{ ...absent, cloud: { provider: 'aws', account } }], {
        parts: { coverage: 'account' },
      });
      const resolved = await service.sql('select from findings where resolved_at is not null');
      assert.ok(resolved.length > 7000, `only ${resolved.length} findings were resolved`);
    });

    for (const { state, condition, sorts } of LISTS)
      for (const sort of sorts)
        it(`returns all pages, and single pages, of a list with the state ${state} sorted by ${sort}`, async () => {
          const ids = await idsInOrder(sort, condition);
          const query = `sort=${sort}&filter[state]=${state}`;
          assert.deepEqual(await walk(query), ids);
          for (const number of [2, 120]) {
            const { body } = await client.get<Resource[]>(
              `/findings?${query}&page[size]=50&page[number]=${number}`,
            );
            assert.deepEqual(
              body.data.map(({ id }) => id),
              ids.slice((number - 1) * 50, number * 50),
              `page ${number}`,
            );
            assert.equal(body.meta.pagination.count, ids.length);
          }
        });

    it('returns only open findings without a filter', async () => {
      assert.deepEqual(await walk('sort=id'), await idsInOrder('id', 'resolved_at is null'));
    });
  });

  it('returns all pages of a list sorted by -last_seen_at if many findings have the newest time', async () => {
    await client.ingest(Array.from({ length: 6000 }, (_, at) => findingOf(at, START + 40_000)));
    const assertOrdered = async () => {
      for (const [filter, condition] of [
        ['filter[state]=open,resolved', 'true'],
        ['filter[status]=FAIL', "status = 'FAIL' and resolved_at is null"],
      ] as const)
        assert.deepEqual(
          await walk(`sort=-last_seen_at&${filter}`),
          await idsInOrder('-last_seen_at', condition),
        );
    };
    await assertOrdered();
    // Then a single finding is newer.
    await client.ingest([findingOf(0, START + 50_000)]);
    await assertOrdered();
  });
});
