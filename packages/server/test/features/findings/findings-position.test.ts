import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient } from '../../support/client.ts';
import { isWholeRun } from '../../support/is-whole-run.ts';
import { record } from '../../support/records.ts';
import { type Service, startService } from '../../support/service.ts';
import { walkPages } from '../../support/walk-pages.ts';

interface Finding {
  readonly id: string;
}

/** More than a sample. */
const COUNT = 6000;
const SIZE = 20;
const PARTS = ['0', '0.25', '0.9', '1', '1.0'];

describe('page[position] of the findings list', () => {
  let service: Service;
  let client: Client;
  before(async () => {
    service = await startService({ SLUICE_WORKERS: '1' });
    client = createClient(service.url, service.key);
    await client.ingest(
      Array.from({ length: COUNT }, (_, i) =>
        record({
          time: 1_780_000_000 + Math.floor((i * 7919) % COUNT),
          severity_id: [1, 2, 3, 3, 4, 5][i % 6],
          status_code: i % 4 === 0 ? 'FAIL' : 'PASS',
          metadata: { event_code: `check_${i % 20}` },
          finding_info: { uid: `finding-${i}` },
          cloud: { account: { uid: `account-${i % 3}` } },
          ...(i % 10 === 0
            ? { resources: [] }
            : { resources: [{ uid: `resource-${i}`, name: `resource-${i % 900}` }] }),
        }),
      ),
    );
  });
  after(() => service.remove());

  const idsOf = (findings: readonly Finding[] = []) => findings.map(({ id }) => id);
  const readAll = async (query: string): Promise<string[]> => {
    // Only the IDs are needed.
    const fields = 'fields[findings]=severity';
    const first = await client.get<Finding[]>(`/findings?${query}&${fields}&page[size]=1000&page[after]=`);
    const pages = await walkPages(service, first, 'next');
    return pages.flatMap(({ body }) => idsOf(body.data));
  };

  const follow = async (link: string | null | undefined): Promise<string[]> => {
    if (link == null) return [];
    const { pathname, search } = new URL(link);
    const { body } = await client.get<Finding[]>(`${pathname}${search}`.replace('/api/v1', ''));
    return idsOf(body.data);
  };

  /** One query per way to find the position, and its variants, which run only in the release lane. */
  const queries = [
    ['sort=-severity', 0],
    ['sort=last_seen_at', 0.05],
    ['sort=id', 0.05],
    // Too few findings for an estimate.
    ['sort=last_seen_at&filter[severity]=critical&filter[status]=FAIL&filter[check_id]=check_5', 0],
    ['sort=id&filter[check_id]=check_5', 0],
  ] as const;
  const variants = [
    ['sort=status', 0],
    ['sort=check_id', 0],
    ['sort=-account', 0],
    ['sort=-status_changed_at', 0.05],
    ['sort=resource', 0.05],
    ['sort=-resource', 0.05],
    ['sort=-id', 0.05],
    ['sort=-severity&filter[account]=account-1', 0],
    ['sort=-last_seen_at&filter[status]=FAIL', 0.08],
    ['sort=-id&filter[status]=PASS', 0.05],
  ] as const;
  for (const [query, tolerance] of isWholeRun ? [...queries, ...variants] : queries) {
    const precision = tolerance === 0 ? 'exactly' : 'approximately';
    it(`starts ${precision} at this part of the list with ${query}, and continues it with a cursor`, async () => {
      const all = await readAll(query);
      for (const part of PARTS) {
        const page = await client.get<Finding[]>(
          `/findings?${query}&page[size]=${SIZE}&page[position]=${part}`,
        );
        assert.equal(page.status, 200, page.text);
        const ids = idsOf(page.body.data);
        assert.ok(ids.length > 0 || all.length === 0, `${part} returns no findings`);
        const start = ids[0] === undefined ? 0 : all.indexOf(ids[0]);
        const expected = Math.max(0, Math.min(Math.floor(Number(part) * all.length), all.length - SIZE));
        assert.ok(
          Math.abs(start - expected) <= tolerance * all.length,
          `${part} starts at ${start} of ${all.length}`,
        );
        assert.deepEqual(ids, all.slice(start, start + SIZE));
        const next = await follow(page.body.links.next);
        assert.deepEqual(next, all.slice(start + SIZE, start + 2 * SIZE));
        assert.equal(page.body.links.prev, null);
        assert.match(String(page.body.links.self), /page%5Bposition%5D=/);
      }
    });
  }

  it('ignores page[number] if page[position] is present, and both if page[after] is present', async () => {
    const pageOf = async (query: string) =>
      idsOf((await client.get<Finding[]>(`/findings?sort=severity&page[size]=${SIZE}&${query}`)).body.data);
    const [first, middle] = await Promise.all([pageOf('page[number]=1'), pageOf('page[position]=0.5')]);
    assert.notDeepEqual(first, middle);
    assert.deepEqual(await pageOf('page[position]=0.5&page[number]=2'), middle);
    assert.deepEqual(await pageOf('page[position]=0.5&page[number]=2&page[after]='), first);
  });

  for (const query of ['page[position]=1.1', 'page[position]=-0', 'page[position]='])
    it(`returns 400 for ${query}`, async () => {
      const { status, body } = await client.get(`/findings?${query}`);
      assert.deepEqual([status, body.errors?.[0]?.source], [400, { parameter: 'page[position]' }]);
    });

  it('returns 400 for a position in a list that does not support it', async () => {
    const { status } = await client.get('/resources?page[position]=0.5');
    assert.equal(status, 400);
  });
});
