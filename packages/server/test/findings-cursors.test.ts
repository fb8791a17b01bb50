import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Answer, type Client, createClient } from './support/client.ts';
import { deleteButHold, type HeldProvider } from './support/held-provider.ts';
import { joinService, type SharedService } from './support/lanes.ts';
import { seedFindings } from './support/listed-findings.ts';
import { record } from './support/records.ts';
import { createSecondTenant } from './support/second-tenant.ts';

interface Resource {
  readonly id: string;
  readonly attributes: { readonly check_id: string; readonly status: string };
}

const cursorOf = (...content: readonly unknown[]) =>
  Buffer.from(JSON.stringify(content)).toString('base64url');

describe('findings read with cursors', () => {
  let service: SharedService;
  let client: Client;
  let held: HeldProvider;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
    const second = await createSecondTenant(service);
    const seeded = await seedFindings(service, client, second.client);
    held = await deleteButHold(service, seeded.gone[0]?.provider ?? '');
  });
  after(async () => {
    await held.letGo();
    await service.leave();
  });

  const get = async (path: string): Promise<Answer<Resource[]>> => {
    const answer = await client.get<Resource[]>(path);
    assert.equal(answer.status, 200, `${path}: ${JSON.stringify(answer.body.errors)}`);
    return answer;
  };
  /** Follows links.next to the end, and does something after each page. */
  const readAll = async (query: string, afterPage = async (_page: number) => {}): Promise<Resource[]> => {
    const all: Resource[] = [];
    let path: string | undefined = `/findings?${query}&page[after]=`;
    for (let page = 1; path !== undefined; page++) {
      assert.ok(page < 1000, 'the pages go round in a circle');
      const { body }: Answer<Resource[]> = await get(path);
      all.push(...body.data);
      assert.deepEqual([body.meta, body.links.prev, body.links.last], [{ version: 'v1' }, null, null]);
      await afterPage(page);
      const next = body.links.next ?? undefined;
      path = next?.slice(`${service.url}/api/v1`.length);
    }
    return all;
  };
  const idsOf = (resources: readonly Resource[]) => resources.map(({ id }) => id);

  for (const sort of [
    '',
    '-severity',
    'severity',
    'status',
    '-status',
    'check_id',
    '-check_id',
    '-last_seen_at',
    'first_seen_at',
    'id',
    '-id',
    '-severity,check_id',
    'check_id,-severity,status',
    '-severity,-status',
    'status,-first_seen_at,check_id',
  ]) {
    it(`are in the same order as in numbered pages, sorted by ${sort || 'default'}`, async () => {
      const query = sort === '' ? '' : `sort=${sort}&`;
      const expected = idsOf((await get(`/findings?${query}page[size]=1000`)).body.data);
      assert.ok(expected.length > 50);
      // 7 divides neither the number of findings nor that of any group of equals.
      assert.deepEqual(idsOf(await readAll(`${query}page[size]=7`)), expected);
      assert.deepEqual(idsOf(await readAll(`${query}page[size]=1`)), expected);
    });
  }

  it('lead from their self link to the same page again, and from first to the start', async () => {
    const start = await get('/findings?page[after]=&page[size]=3');
    const next = await get((start.body.links.next ?? '').slice(`${service.url}/api/v1`.length));
    for (const [link, page] of [
      [next.body.links.self, next],
      [next.body.links.first, start],
      [start.body.links.self, start],
    ] as const) {
      const again = await get((link ?? '').slice(`${service.url}/api/v1`.length));
      assert.deepEqual(again.body.data, page.body.data);
    }
  });

  it('keep filters and fields', async () => {
    const query = 'filter[status]=FAIL&fields[findings]=status&sort=check_id';
    const expected = idsOf((await get(`/findings?${query}&page[size]=1000`)).body.data);
    const all = await readAll(`${query}&page[size]=4`);
    assert.deepEqual(idsOf(all), expected);
    for (const { attributes } of all) assert.deepEqual(attributes, { status: 'FAIL' });
  });

  for (const sort of ['id', '-id', 'check_id', '-check_id']) {
    it(`meet each finding exactly once sorted by ${sort} while an upload changes it`, async () => {
      const before = (await get(`/findings?sort=${sort}&page[size]=1000`)).body.data;
      let uploads = 0;
      const all = await readAll(`sort=${sort}&page[size]=10`, async (page) => {
        if (page % 3 !== 0) return;
        // Every finding of the account changes in all that other orders go by.
        uploads++;
        const changed = Array.from({ length: 96 }, (_, i) =>
          record({
            time: Date.UTC(2026, 5, 1) / 1000 + uploads * 60,
            severity_id: (i + uploads) % 7,
            status_code: uploads % 2 === 0 ? 'PASS' : 'FAIL',
            metadata: { event_code: i % 2 === 0 ? 'check_a' : 'check_b' },
            finding_info: { uid: `finding-${i}` },
            cloud: { provider: 'aws', account: { uid: 'acc-1' } },
            resources: [{ uid: `arn:${i % 12}:R` }],
          }),
        );
        await client.ingest(changed);
      });
      assert.ok(uploads > 1);
      const met = idsOf(all);
      assert.equal(new Set(met).size, met.length, 'a finding was met twice');
      const missed = idsOf(before).filter((id) => !met.includes(id));
      assert.deepEqual(missed, []);
    });
  }

  const someId = '00000000-0000-8000-8000-000000000000';
  for (const [what, query] of [
    ['no base64', 'page[after]=%25'],
    ['no JSON', `page[after]=${Buffer.from('{').toString('base64url')}`],
    ['an object', `page[after]=${Buffer.from('{}').toString('base64url')}`],
    ['a number', `page[after]=1`],
    ['a cursor of another order', `sort=id&page[after]=${cursorOf('-severity', '4', 'FAIL', someId)}`],
    ['a cursor with too few values', `page[after]=${cursorOf('-severity', '4')}`],
    ['a cursor with too many values', `sort=id&page[after]=${cursorOf('id', someId, someId)}`],
    ['a cursor without values', `sort=id&page[after]=${cursorOf('id')}`],
    ['a value that is no text', `sort=id&page[after]=${cursorOf('id', 4)}`],
    ['a value with U+0000', `sort=check_id&page[after]=${cursorOf('check_id', 'a\0', someId)}`],
    ['an id that is none', `sort=id&page[after]=${cursorOf('id', 'x')}`],
    ['a severity that is none', `page[after]=${cursorOf('-severity', 'high', 'FAIL', someId)}`],
    ['a severity beyond all', `page[after]=${cursorOf('-severity', '70000', 'FAIL', someId)}`],
    ['a status that is none', `page[after]=${cursorOf('-severity', '4', 'fail', someId)}`],
    ['a time that is none', `sort=-last_seen_at&page[after]=${cursorOf('-last_seen_at', 'x', someId)}`],
    ['SQL', `sort=id&page[after]=${cursorOf('id', "'; drop table findings; --")}`],
  ] as const) {
    it(`are refused where the cursor is ${what}`, async () => {
      const { status, body } = await client.get(`/findings?${query}`);
      assert.equal(status, 400);
      assert.deepEqual(body.errors[0]?.source, { parameter: 'page[after]' });
    });
  }

  it('have logged no failure after all this', () => assert.equal(service.output.stderr, ''));
});
