import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient, type Resource } from '../../support/client.ts';
import { deleteButHold } from '../../support/held-provider.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { foldPending, makeOlder } from '../../support/learned-times.ts';
import { record } from '../../support/records.ts';
import { createSecondTenant } from '../../support/second-tenant.ts';
import { until } from '../../support/until.ts';
import { itRefusesQueries } from '../../support/wrong-queries.ts';

interface Point {
  readonly failed: number;
  readonly failed_by_severity: Readonly<Record<string, number>>;
  readonly providers: number;
}
interface Trend extends Resource {
  readonly attributes: {
    readonly days?: readonly (Point & { readonly date: string })[];
    readonly hours?: readonly (Point & { readonly starts_at: string })[];
  };
}
interface Found {
  readonly account: string;
  readonly uid: string;
  readonly members?: Readonly<Record<string, unknown>>;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAY = 24;
/** The default of `days`. */
const DAYS = 90;

describe('the findings trend', () => {
  let service: SharedService;
  before(async () => {
    service = await joinService();
  });
  after(() => service.leave());

  /** A tenant whose trend is empty. */
  const createTenant = async () => {
    const { id: tenantId, key, client } = await createSecondTenant(service);
    const tenant = { ...service, tenantId, key, sql: service.ownerSql };
    return {
      client,
      /** Makes all changes so far this many hours older. */
      pass: (hours: number) => makeOlder(tenant, hours),
      fold: () => foldPending(tenant),
      tenant,
    };
  };
  const found = ({ account, uid, members = {} }: Found) =>
    record({ finding_info: { uid }, cloud: { provider: 'aws', account: { uid: account } }, ...members });
  const trendOf = async (client: Client, query = '') => {
    const { status, body } = await client.get<Trend>(`/findings/trend?${query}`);
    assert.equal(status, 200, JSON.stringify(body.errors));
    return body.data.attributes;
  };
  /** The numbers of failing findings, newest first. */
  const failedOf = async (client: Client, query = 'days=5') =>
    ((await trendOf(client, query)).days ?? []).map(({ failed }) => failed).toReversed();
  const failedByHour = async (client: Client, query: string) =>
    ((await trendOf(client, query)).hours ?? []).map(({ failed }) => failed).toReversed();
  const idOf = async (client: Client, account: string) => {
    const { body } = await client.get<Resource[]>(`/providers?filter[account]=${account}`);
    return body.data[0]?.id ?? assert.fail(`${account} has no provider`);
  };

  it('returns zeros for the last 90 days including today if there are no findings', async () => {
    const { client } = await createTenant();
    const { days = [], hours } = await trendOf(client);
    const last = Date.parse(days.at(-1)?.date ?? '');
    assert.ok(last <= Date.now() && last > Date.now() - 2 * DAY_MS);
    assert.deepEqual(
      days.map(({ date }) => date),
      Array.from({ length: DAYS }, (_, at) =>
        new Date(last - (DAYS - 1 - at) * DAY_MS).toISOString().slice(0, 10),
      ),
    );
    for (const { failed, providers, failed_by_severity } of days)
      assert.deepEqual([failed, providers, new Set(Object.values(failed_by_severity))], [0, 0, new Set([0])]);
    assert.equal(hours, undefined);
  });

  it('returns as many daily and hourly points as requested, with zeros before the first upload', async () => {
    const { client } = await createTenant();
    await client.ingest([found({ account: '111', uid: 'a' })]);
    const { days, hours = [] } = await trendOf(client, 'hours=48');
    assert.equal(days, undefined);
    const last = Date.parse(hours.at(-1)?.starts_at ?? '');
    assert.ok(last <= Date.now() && last > Date.now() - 2 * HOUR_MS);
    assert.deepEqual(
      hours.map(({ starts_at }) => starts_at),
      Array.from({ length: 48 }, (_, at) =>
        new Date(last - (47 - at) * HOUR_MS).toISOString().replace('Z', '000Z'),
      ),
    );
    assert.deepEqual(await failedByHour(client, 'hours=3'), [1, 0, 0]);
    const both = await trendOf(client, 'days=400&hours=1');
    assert.deepEqual([both.days?.length, both.hours?.length], [400, 1]);
    assert.deepEqual(Object.keys(await trendOf(client, 'hours=2&days=2&fields[finding-trends]=hours')), [
      'hours',
    ]);
  });

  it('changes only by what a partial scan reports', async () => {
    const { client, pass } = await createTenant();
    const accounts = Array.from({ length: 17 }, (_, at) => `account-${at}`);
    const ofAccounts = (findings: number, members = {}) =>
      Array.from({ length: findings }, (_, at) =>
        found({ account: accounts[at % accounts.length] ?? '', uid: `finding-${at}`, members }),
      );
    await client.ingest(ofAccounts(400));
    await pass(DAY);
    await client.ingest(ofAccounts(60, { time: 1_780_000_100 }));
    assert.deepEqual(await failedOf(client), [400, 400, 0, 0, 0]);
    await client.ingest(ofAccounts(60, { time: 1_780_000_200, status_code: 'PASS' }));
    assert.deepEqual(await failedOf(client), [340, 400, 0, 0, 0]);
    const { days = [] } = await trendOf(client);
    assert.deepEqual([days.at(-1)?.providers, days.at(-2)?.providers, days.at(-3)?.providers], [17, 17, 0]);
  });

  it('never changes earlier points, regardless of the times in records', async () => {
    const { client, pass } = await createTenant();
    await client.ingest([found({ account: '111', uid: 'a' }), found({ account: '111', uid: 'b' })]);
    await pass(2 * DAY);
    const now = Math.floor(Date.now() / 1000);
    // An old file that was uploaded late, an old record of a known finding, and the newest record of another.
    await client.ingest([
      found({ account: '111', uid: 'c', members: { time: now - 300 * 86_400 } }),
      found({ account: '111', uid: 'a', members: { time: 1_700_000_000, status_code: 'PASS' } }),
      found({ account: '111', uid: 'b', members: { time: now, severity_id: 5 } }),
    ]);
    assert.deepEqual(await failedOf(client), [3, 2, 2, 0, 0]);
    const severities = ((await trendOf(client, 'days=2')).days ?? []).map(
      ({ failed_by_severity }) => failed_by_severity,
    );
    assert.deepEqual(
      severities.map(({ high, critical }) => [high, critical]),
      [
        [2, 0],
        [2, 1],
      ],
    );
  });

  it('falls when findings are muted or resolved, and rises when they fail again', async () => {
    const { client, pass } = await createTenant();
    const scan = (time: number, uids: readonly string[], members = {}) =>
      client.ingest(
        uids.map((uid) =>
          found({
            account: '111',
            uid,
            members: {
              time: 1_780_000_000 + time,
              metadata: { event_code: 'check', product: { name: 'Scanner' } },
              ...members,
            },
          }),
        ),
        { parts: { coverage: 'account' } },
      );
    await scan(0, ['a', 'b', 'c']);
    await pass(1);
    await scan(1, ['a', 'b']);
    await pass(1);
    await scan(2, ['a', 'b'], { status: 'Suppressed', status_id: 3 });
    await pass(1);
    await scan(3, ['a', 'b', 'c']);
    assert.deepEqual(await failedByHour(client, 'hours=5'), [3, 0, 2, 3, 0]);
  });

  it('falls when an account is deleted, and earlier points stay the same while and after its findings are removed', async () => {
    const { client, pass, fold, tenant } = await createTenant();
    const upload = (account: string, checks: readonly string[]) =>
      client.ingest(
        checks.map((check) => found({ account, uid: check, members: { metadata: { event_code: check } } })),
      );
    const assertTrend = async (expected: readonly number[], query = '') =>
      assert.deepEqual(await failedOf(client, `days=5&${query}`), expected);
    await upload('kept', ['a']);
    await upload('gone', ['a', 'b', 'c']);
    await fold();
    await pass(DAY);
    await upload('gone', ['d']);
    const id = await idOf(client, 'gone');
    const held = await deleteButHold(tenant, id);
    try {
      await assertTrend([1, 4, 0, 0, 0]);
      await assertTrend([0, 3, 0, 0, 0], `filter[provider]=${id}`);
      await assertTrend([0, 1, 0, 0, 0], 'filter[account]=gone&filter[check_id]=b');
      await pass(DAY);
      await assertTrend([1, 1, 4, 0, 0]);
    } finally {
      await held.letGo();
    }
    await until(async () => {
      const removals = await tenant.sql('select from provider_removals where tenant_id = $1', [
        tenant.tenantId,
      ]);
      return removals.length === 0;
    });
    await assertTrend([1, 1, 4, 0, 0]);
    await fold();
    await assertTrend([1, 1, 4, 0, 0]);
    await upload('gone', ['a', 'e']);
    await assertTrend([3, 1, 4, 0, 0]);
    await assertTrend([0, 0, 3, 0, 0], `filter[provider]=${id}`);
    await assertTrend([2, 0, 3, 0, 0], 'filter[account]=gone');
    await assertTrend([1, 1, 1, 0, 0], 'filter[account]=kept');
    const providers = ((await trendOf(client, 'days=4')).days ?? []).map((day) => day.providers);
    assert.deepEqual(providers, [0, 2, 1, 2]);
  });

  it('keeps changes by the hour for two days and by the day for 400 days', async () => {
    const { client, pass, fold, tenant } = await createTenant();
    const upload = (...uids: readonly string[]) =>
      client.ingest(uids.map((uid) => found({ account: '111', uid })));
    const countRows = async (condition: string) =>
      (
        await tenant.sql(`select from failing_finding_changes where tenant_id = $1 and ${condition}`, [
          tenant.tenantId,
        ])
      ).length;
    const IS_OLD = `starts_at < now() - interval '3 days'`;
    await upload('a', 'b');
    await pass(1);
    await upload('c');
    await pass(1);
    await upload('d', 'e');
    await fold();
    await pass(4 * DAY);
    const before = await failedOf(client, 'days=6');
    assert.ok((await countRows(`not is_day and ${IS_OLD}`)) > 5);
    await upload('f');
    await fold();
    assert.equal(await countRows(`not is_day and ${IS_OLD}`), 0);
    assert.ok((await countRows(`is_day and ${IS_OLD}`)) > 0);
    assert.deepEqual(await failedOf(client, 'days=6'), [6, ...before.slice(1)]);
    assert.deepEqual(await failedByHour(client, 'hours=3'), [6, 5, 5]);
    await pass(400 * DAY);
    await upload('g');
    await fold();
    assert.equal(await countRows(`starts_at < now() - interval '401 days'`), 0);
    assert.deepEqual(await failedOf(client, 'days=400'), [7, ...Array.from({ length: 399 }, () => 6)]);
  });

  it('begins with the upgrade for findings of a release that did not record changes', async () => {
    const { client, pass, tenant } = await createTenant();
    await client.ingest([found({ account: '111', uid: 'a' }), found({ account: '111', uid: 'b' })]);
    await tenant.sql('insert into finding_trend_starts (tenant_id, started_at) values ($1, now())', [
      tenant.tenantId,
    ]);
    assert.deepEqual(await failedOf(client), [2]);
    await pass(DAY);
    await client.ingest([found({ account: '111', uid: 'c' })]);
    assert.deepEqual(await failedOf(client), [3, 2]);
    const hours = await failedByHour(client, 'hours=48');
    assert.deepEqual(hours, [3, ...Array.from({ length: DAY }, () => 2)]);
  });

  itRefusesQueries('/findings/trend', () => createClient(service.url, service.key), [
    ['an unknown filter', 'filter[severity]=high', 'filter[severity]'],
    ['an invalid provider ID', 'filter[provider]=1', 'filter[provider]'],
    ['a page parameter', 'page[size]=10', 'page[size]'],
    ['no days', 'days=0', 'days'],
    ['too many days', 'days=401', 'days'],
    ['too many hours', 'hours=49', 'hours'],
    ['a fraction of an hour', 'hours=1.5', 'hours'],
  ]);
});
