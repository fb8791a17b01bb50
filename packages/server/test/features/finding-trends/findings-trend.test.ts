import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient, type Resource } from '../../support/client.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { record } from '../../support/records.ts';
import { createSecondTenant, type SecondTenant } from '../../support/second-tenant.ts';
import { itRefusesQueries } from '../../support/wrong-queries.ts';

interface Day {
  readonly date: string;
  readonly failed: number;
  readonly failed_by_severity: Readonly<Record<string, number>>;
  readonly new: number;
  readonly changed: number;
  readonly providers: number;
}
interface Trend extends Resource {
  readonly attributes: { readonly days: readonly Day[] };
}

const DAY_MS = 86_400_000;

describe('the findings trend', () => {
  let service: SharedService;
  let client: Client;
  let second: SecondTenant;
  let today: number;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
    second = await createSecondTenant(service);
    today = Date.now();
  });
  after(() => service.leave());

  const dateOf = (daysAgo: number) => new Date(today - daysAgo * DAY_MS).toISOString().slice(0, 10);
  const daysOf = async (reader: Client, query = '') => {
    const { body } = await reader.get<Trend>(`/findings/trend?${query}`);
    return body.data.attributes.days;
  };
  /** Returns the counts by date, with only nonzero severity counts. */
  const seen = async (reader: Client, query = '') => {
    const entries = (await daysOf(reader, query)).map(({ date, failed_by_severity, ...rest }) => {
      const severities = Object.entries(failed_by_severity).filter(([, count]) => count > 0);
      return [date, { ...rest, ...Object.fromEntries(severities) }] as const;
    });
    return new Map(entries);
  };
  const finding = (uid: string, account: string, daysAgo: number, members: object = {}) =>
    record({
      time: Math.floor((today - daysAgo * DAY_MS) / 1000),
      severity_id: 4,
      status_code: 'FAIL',
      finding_info: { uid },
      cloud: { provider: 'aws', account: { uid: account } },
      unmapped: {},
      ...members,
    });

  it('returns counts for the last 90 days including today, with zeros for days before the first upload', async () => {
    const days = await daysOf(client);
    // The date may have changed since the test started.
    const last = Date.parse(days.at(-1)?.date ?? '');
    assert.ok(last >= Date.parse(dateOf(0)) && last <= Date.now());
    assert.deepEqual(
      days.map(({ date }) => date),
      Array.from({ length: 90 }, (_, at) => new Date(last - (89 - at) * DAY_MS).toISOString().slice(0, 10)),
    );
    for (const day of days) assert.deepEqual([day.failed, day.providers, day.new, day.changed], [0, 0, 0, 0]);
  });

  it("carries each account's counts forward until its next scan, and adds up the counts of all accounts", async () => {
    await client.ingest([
      finding('a', '111', 40),
      finding('b', '111', 40, { severity_id: 5 }),
      finding('c', '111', 40, { severity_id: 5, status: 'Suppressed', status_id: 3 }),
    ]);
    await client.ingest([finding('d', '222', 30), finding('e', '222', 30, { status_code: 'PASS' })]);
    await client.ingest([finding('a', '111', 10, { status_code: 'PASS' }), finding('b', '111', 10)]);
    const days = await seen(client);
    const nothing = { failed: 0, new: 0, changed: 0, providers: 0 };
    assert.deepEqual(days.get(dateOf(41)), nothing);
    assert.deepEqual(days.get(dateOf(40)), {
      failed: 2,
      new: 3,
      changed: 0,
      providers: 1,
      high: 1,
      critical: 1,
    });
    assert.deepEqual(days.get(dateOf(31)), { ...days.get(dateOf(40)), new: 0 });
    assert.deepEqual(days.get(dateOf(30)), {
      failed: 3,
      new: 2,
      changed: 0,
      providers: 2,
      high: 2,
      critical: 1,
    });
    assert.deepEqual(days.get(dateOf(10)), { failed: 2, new: 0, changed: 1, providers: 2, high: 2 });
    assert.deepEqual(days.get(dateOf(0)), { ...days.get(dateOf(10)), changed: 0 });
  });

  it('counts only the last of several uploads on a day, and counts a repeated upload once', async () => {
    const other = second.client;
    const at = (uid: string, minutes: number, members: object = {}) =>
      finding(uid, '333', 20, { ...members, time: Math.floor(today / 1000) - 20 * 86_400 + minutes * 60 });
    const earlier = [at('a', -2), at('b', -2)];
    const later = [at('a', -1, { unmapped: { scan_id: 'one' } }), at('c', -1, { severity_id: 2 })];
    for (const upload of [later, earlier, later]) await other.ingest(upload);
    const days = await seen(other);
    assert.deepEqual([days.get(dateOf(20))?.failed, days.get(dateOf(20))?.providers], [2, 1]);
    const expected = { failed: 2, new: 0, changed: 0, providers: 1, high: 1, low: 1 };
    assert.deepEqual(days.get(dateOf(0)), expected);
  });

  it('returns the trend for the requested accounts, and ignores deleted accounts', async () => {
    const failedToday = async (query: string) => (await seen(client, query)).get(dateOf(0))?.failed;
    assert.equal(await failedToday('filter[account]=222'), 1);
    assert.equal(await failedToday('filter[account__in]=111,222'), 2);
    assert.equal(await failedToday('filter[provider_type]=azure'), 0);
    const { body } = await client.get<Resource[]>('/providers?filter[account]=222');
    const id = body.data[0]?.id ?? '';
    assert.equal(await failedToday(`filter[provider]=${id}`), 1);
    await client.delete(`/providers/${id}`);
    assert.equal(await failedToday(''), 1);
  });

  itRefusesQueries('/findings/trend', () => client, [
    ['an unknown filter', 'filter[severity]=high', 'filter[severity]'],
    ['an invalid provider ID', 'filter[provider]=1', 'filter[provider]'],
    ['a page parameter', 'page[size]=10', 'page[size]'],
  ]);
});
