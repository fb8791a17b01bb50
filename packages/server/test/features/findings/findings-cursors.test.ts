import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { APP_ROLE } from '../../../src/db/connect.ts';
import { inTransaction } from '../../../src/db/transaction.ts';
import { findingFilters } from '../../../src/features/findings/filters.ts';
import { FINDING_SORTS } from '../../../src/features/findings/finding-sorts.ts';
import { listFindings } from '../../../src/features/findings/repository.ts';
import { parsePage, writeCursor } from '../../../src/jsonapi/page.ts';
import { parseQuery, parseQueryString } from '../../../src/jsonapi/query.ts';
import type { ApiResponse, Client } from '../../support/client.ts';
import { createFindingsTenant, type FindingsTenant } from '../../support/findings-tenant.ts';
import { isWholeRun } from '../../support/is-whole-run.ts';
import type { SharedService } from '../../support/lanes.ts';
import { record } from '../../support/records.ts';

interface Resource {
  readonly id: string;
  readonly attributes: { readonly check_id: string; readonly status: string };
}

const PAGE = { defaultPageSize: 10, maxPageSize: 1000 };
const DESCRIPTION = {
  fields: {},
  filters: findingFilters,
  list: { sorts: FINDING_SORTS, defaultSort: '-severity', cursors: true },
};
/** One order per type of sort key, and combinations of them. */
const SOME_SORTS = [
  '-severity',
  'check_id',
  '-last_seen_at',
  '-resource',
  '-id',
  'status,-first_seen_at,check_id',
];
const SORTS = [
  '-severity',
  'severity',
  'status',
  '-status',
  'check_id',
  '-check_id',
  '-last_seen_at',
  'first_seen_at',
  '-status_changed_at',
  'account',
  '-account',
  'resource',
  '-resource',
  'id',
  '-id',
  '-severity,check_id',
  'check_id,-severity,status',
  '-severity,-status',
  'status,-first_seen_at,check_id',
  'check_id,-account',
  'resource,-severity',
];

const cursorOf = (...content: readonly unknown[]) =>
  Buffer.from(JSON.stringify(content)).toString('base64url');

describe('cursor pagination of findings', () => {
  let tenant: FindingsTenant;
  let service: SharedService;
  let client: Client;
  /** This session is subject to row level security, which prevents some index conditions. */
  let session: pg.Client;
  before(async () => {
    tenant = await createFindingsTenant();
    ({ service, client } = tenant);
    session = await service.connect();
    await session.query(`set role ${APP_ROLE}`);
  });
  after(async () => {
    await session.end();
    await tenant.leave();
  });

  const get = async (path: string): Promise<ApiResponse<Resource[]>> => {
    const response = await client.get<Resource[]>(path);
    assert.equal(response.status, 200, `${path}: ${JSON.stringify(response.body.errors)}`);
    return response;
  };
  /** Follows links.next to the last page, and calls `afterPage` after each page. */
  const readAll = async (query: string, afterPage = async (_page: number) => {}): Promise<Resource[]> => {
    const all: Resource[] = [];
    let path: string | undefined = `/findings?${query}&page[after]=`;
    for (let page = 1; path !== undefined; page++) {
      assert.ok(page < 1000, 'the pages form a cycle');
      const { body }: ApiResponse<Resource[]> = await get(path);
      all.push(...body.data);
      assert.deepEqual([body.meta, body.links.prev, body.links.last], [{ version: 'v1' }, null, null]);
      await afterPage(page);
      const next = body.links.next ?? undefined;
      path = next?.slice(`${service.url}/api/v1`.length);
    }
    return all;
  };
  const idsOf = (resources: readonly Resource[]) => resources.map(({ id }) => id);

  /** Returns the IDs from all pages in order, using the same query function as the endpoint. */
  const selectAll = async (sort: string, size: number): Promise<string[]> =>
    await inTransaction(session, service.tenantId, async () => {
      const ids: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        assert.ok(ids.length < 1000, 'the pages repeat');
        const text = `sort=${sort}&page[size]=${size}&page[after]=${cursor}`;
        const query = parseQuery(parseQueryString(text), DESCRIPTION, PAGE);
        const { rows, next } = await listFindings(session, service.tenantId, query);
        ids.push(...rows.map(({ id }) => id));
        cursor = next ?? null;
      }
      return ids;
    });

  for (const sort of isWholeRun ? SORTS : SOME_SORTS) {
    it(`returns findings sorted by ${sort} in the same order with cursors as with page numbers`, async () => {
      const expected = idsOf((await get(`/findings?sort=${sort}&page[size]=1000`)).body.data);
      assert.ok(expected.length > 50);
      // A page size of 7 splits groups of equal keys. With a size of 1, every finding has a cursor.
      for (const size of [7, 1]) assert.deepEqual(await selectAll(sort, size), expected);
      assert.deepEqual(idsOf(await readAll(`sort=${sort}&page[size]=31`)), expected);
    });
  }

  it('returns findings in the default order when a client follows links.next in pages of 7', async () => {
    const expected = idsOf((await get('/findings?page[size]=1000')).body.data);
    assert.deepEqual(idsOf(await readAll('page[size]=7')), expected);
  });

  it('decodes a cursor to its original values', () => {
    for (const place of [
      ['x'],
      ['4', 'FAIL', 'id'],
      ['', '"', '\\', '[1]', 'Grüße 😀', '\ud800', '&page[size]=1'],
    ]) {
      const parameters = new Map([['page[after]', writeCursor('-severity', place)]]);
      const { after: read } = parsePage(parameters, PAGE, '-severity');
      assert.deepEqual(read, place);
    }
  });

  it('links a cursor page to itself and to the first page', async () => {
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

  it('prefers page[after] to page[number], and omits page[number] from links', async () => {
    const { body } = await get('/findings?page[size]=3&page[after]=&page[number]=2');
    const { body: alone } = await get('/findings?page[size]=3&page[after]=');
    assert.deepEqual([body.data, body.links], [alone.data, alone.links]);
  });

  it('keeps filters and sparse fieldsets in links.next', async () => {
    const query = 'filter[status]=FAIL&fields[findings]=status&sort=check_id';
    const expected = idsOf((await get(`/findings?${query}&page[size]=1000`)).body.data);
    const all = await readAll(`${query}&page[size]=4`);
    assert.deepEqual(idsOf(all), expected);
    for (const { attributes } of all) assert.deepEqual(attributes, { status: 'FAIL' });
  });

  it('returns each finding exactly once when sorted by id or check_id while uploads change findings', async () => {
    const uploadChanges = async (upload: number) => {
      // In every finding of the account, each upload changes the values that the other sort orders use.
      const changed = Array.from({ length: 96 }, (_, i) =>
        record({
          time: Date.UTC(2026, 5, 1) / 1000 + upload * 60,
          severity_id: (i + upload) % 7,
          status_code: upload % 2 === 0 ? 'PASS' : 'FAIL',
          metadata: { event_code: i % 2 === 0 ? 'check_a' : 'check_b' },
          finding_info: { uid: `finding-${i}` },
          cloud: { provider: 'aws', account: { uid: 'acc-1' } },
          resources: [{ uid: `arn:${i % 12}:R` }],
        }),
      );
      await client.ingest(changed);
    };
    const sorts = ['id', '-id', 'check_id', '-check_id'];
    const before = await Promise.all(
      sorts.map(async (sort) => (await get(`/findings?sort=${sort}&page[size]=1000`)).body.data),
    );
    // The lists are read concurrently in four orders, and each list waits for the same uploads after every third page.
    const uploads: Promise<void>[] = [];
    const read = await Promise.all(
      sorts.map((sort) =>
        readAll(`sort=${sort}&page[size]=10`, async (page) => {
          if (page % 3 !== 0) return;
          const upload = page / 3;
          uploads[upload] ??= uploadChanges(upload);
          await uploads[upload];
        }),
      ),
    );
    assert.ok(uploads.length > 2);
    for (const [at, sort] of sorts.entries()) {
      const ids = idsOf(read[at] ?? []);
      assert.equal(new Set(ids).size, ids.length, `a finding was returned twice when sorted by ${sort}`);
      const missed = idsOf(before[at] ?? []).filter((id) => !ids.includes(id));
      assert.deepEqual(missed, [], sort);
    }
  });

  const someId = '00000000-0000-8000-8000-000000000000';
  for (const [label, query] of [
    ['a cursor that is not valid Base64', 'page[after]=%25'],
    ['a cursor that is not valid JSON', `page[after]=${Buffer.from('{').toString('base64url')}`],
    ['a cursor that is an object', `page[after]=${Buffer.from('{}').toString('base64url')}`],
    ['a cursor that is a number', `page[after]=1`],
    ['a cursor for another sort order', `sort=id&page[after]=${cursorOf('-severity', '4', 'FAIL', someId)}`],
    ['a cursor for the opposite sort order', `sort=-id&page[after]=${cursorOf('id', someId)}`],
    ['a cursor with too few values', `page[after]=${cursorOf('-severity', '4')}`],
    ['a cursor with too many values', `sort=id&page[after]=${cursorOf('id', someId, someId)}`],
    ['a cursor without values', `sort=id&page[after]=${cursorOf('id')}`],
    ['a cursor with a value that is not a string', `sort=id&page[after]=${cursorOf('id', 4)}`],
    [
      'a cursor with a value containing U+0000',
      `sort=check_id&page[after]=${cursorOf('check_id', 'a\0', someId)}`,
    ],
    ['a cursor with an invalid ID', `sort=id&page[after]=${cursorOf('id', 'x')}`],
    ['a cursor with an invalid severity', `page[after]=${cursorOf('-severity', 'high', 'FAIL', someId)}`],
    [
      'a cursor with a severity out of range',
      `page[after]=${cursorOf('-severity', '70000', 'FAIL', someId)}`,
    ],
    ['a cursor with an invalid status', `page[after]=${cursorOf('-severity', '4', 'fail', someId)}`],
    [
      'a cursor with an invalid time',
      `sort=-last_seen_at&page[after]=${cursorOf('-last_seen_at', 'x', someId)}`,
    ],
    ['a cursor that contains SQL', `sort=id&page[after]=${cursorOf('id', "'; drop table findings; --")}`],
  ] as const) {
    it(`rejects ${label} in a findings query`, async () => {
      const { status, body } = await client.get(`/findings?${query}`);
      assert.equal(status, 400);
      assert.deepEqual(body.errors[0]?.source, { parameter: 'page[after]' });
    });
  }

  it('logs no errors for valid or invalid cursors', () => assert.equal(service.output.stderr, ''));
});
