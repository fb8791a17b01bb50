import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { inTransaction } from '../../../src/db/transaction.ts';
import { findingFilters } from '../../../src/features/findings/filters.ts';
import { FINDING_SORTS } from '../../../src/features/findings/finding-sorts.ts';
import { listFindings } from '../../../src/features/findings/repository.ts';
import { parseQuery, parseQueryString } from '../../../src/jsonapi/query.ts';
import { createClient } from '../../support/client.ts';
import { openSession } from '../../support/open-session.ts';
import { record } from '../../support/records.ts';
import { createSecondTenant } from '../../support/second-tenant.ts';
import { type Service, startService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const PAGE = { defaultPageSize: 10, maxPageSize: 1000 };
const DESCRIPTION = {
  fields: {},
  filters: findingFilters,
  list: { sorts: FINDING_SORTS, defaultSort: '-severity', cursors: true },
};
const COUNT = 8000;
const PER_PROVIDER = 400;
/** Matches scans of tables that are too small for the right index, or for any, in this test. */
const SMALL_TABLE =
  /(Seq Scan on (providers|checks)|Scan.* on (finding_facets|resources)).*\n(.*Cond:.*\n)?.*Filter:.*\n.*Rows Removed by Filter:.*\n/g;
const SOME_ID = '80000000-0000-8000-8000-000000000000';

const cursorOf = (...content: readonly string[]) =>
  Buffer.from(JSON.stringify(content)).toString('base64url');

describe('query plans for the findings list', () => {
  let service: Service;
  let session: pg.Client;
  let provider: string;
  /** The key of a check with failing findings of high severity. */
  let failingCheck: string;
  before(async () => {
    service = await startService({ SLUICE_WORKERS: '1' });
    const second = await createSecondTenant(service);
    const numbered = (i: number) =>
      record({
        severity_id: [1, 2, 3, 3, 4, 4, 5, 99][i % 8],
        status_code: ['PASS', 'FAIL', 'MANUAL', 'PASS', 'PASS'][i % 5],
        metadata: { event_code: `check_${i % 200}` },
        finding_info: { uid: `finding-${i}` },
        cloud: { account: { uid: `account-${Math.floor(i / PER_PROVIDER)}` } },
      });
    const file = Array.from({ length: COUNT }, (_, i) => numbered(i));
    const client = createClient(service.url, service.key);
    await client.ingest(file);
    await second.client.ingest(file.slice(0, COUNT / 4));
    const changed = { status_code: 'MANUAL', time: 1_780_000_001 };
    await client.ingest(file.slice(100, 200).map((one) => ({ ...one, ...changed })));
    await service.sql('vacuum analyze');
    const providers = await service.sql<{ id: string }>(
      "select id from providers where tenant_id = $1 and account = 'account-3'",
      [service.tenantId],
    );
    provider = providers[0]?.id ?? '';
    const checks = await service.sql<{ key: string }>(
      "select key from checks where tenant_id = $1 and check_id = 'check_36'",
      [service.tenantId],
    );
    failingCheck = checks[0]?.key ?? '';
    // This session is subject to row level security, which prevents some index conditions.
    session = await openSession(service);
  });
  after(async () => {
    await session.end();
    await service.remove();
  });

  /** Returns the plans of the statements that read findings for this query, in order. */
  const plansOf = async (query: string): Promise<{ plans: string[]; rows: number }> => {
    const statements: { text: string; values: unknown[] }[] = [];
    const recorded = new Proxy(session, {
      get: (target, name) =>
        name === 'query'
          ? (text: string, values: unknown[]) => {
              if (text.includes('from findings')) statements.push({ text, values: [...values] });
              return target.query(text, values);
            }
          : Reflect.get(target, name),
    });
    const parsed = parseQuery(parseQueryString(query), DESCRIPTION, PAGE);
    return await inTransaction(session, service.tenantId, async () => {
      const { rows } = await listFindings(recorded, service.tenantId, parsed);
      const plans: string[] = [];
      for (const { text, values } of statements) {
        const explained = `explain (analyze, timing off, buffers off) ${text}`;
        const plan = await session.query<{ 'QUERY PLAN': string }>(explained, values);
        plans.push(
          plan.rows
            .map((row) => row['QUERY PLAN'])
            .join('\n')
            .replaceAll(SMALL_TABLE, ''),
        );
      }
      // The first statement looks up whether any finding is resolved.
      const [resolved = '', ...others] = plans;
      assert.match(resolved, /using findings_resolved/);
      return { plans: others, rows: rows.length };
    });
  };

  for (const [label, query, index] of [
    ['the default findings list', () => '', /findings_check_provider/],
    ['a page deep in the list', () => 'filter[status]=FAIL&page[number]=150', /findings_check_provider/],
    [
      'failing findings with one severity',
      () => 'filter[status]=FAIL&filter[severity]=high',
      /findings_check_provider/,
    ],
    [
      'critical failing findings',
      () => 'filter[status]=FAIL&filter[severity]=critical&filter[muted]=false',
      /findings_check_provider/,
    ],
    [
      'passing findings with one severity',
      () => 'filter[status]=PASS&filter[severity]=medium',
      /findings_check_provider/,
    ],
    [
      'changed findings',
      () => 'filter[delta]=changed&filter[severity]=high&filter[status]=MANUAL',
      /using findings_changed/,
    ],
    ['findings of one provider', () => `filter[provider]=${provider}`, /findings_check_provider/],
    ['findings of one account', () => 'filter[account]=account-3', /findings_check_provider/],
    ['findings sorted by check', () => 'sort=check_id', /Index Scan using findings_check/],
    ['findings sorted by status', () => 'sort=status', /findings_check_provider/],
  ] as const) {
    it(`uses an index and the stored counts to read ${label}`, async () => {
      const { plans, rows } = await plansOf(query());
      assert.equal(rows, 10);
      const [page = '', ...others] = plans;
      assert.deepEqual(others, [], 'more than one statement read findings');
      assert.doesNotMatch(page, /Seq Scan on findings/);
      assert.match(page, index);
      // Only the rows of the page are read in full.
      assert.match(page, /findings_pkey on findings .*rows=10\.00 loops=1\)/);
    });
  }

  it('uses the check index to read the findings of a check that are sorted by check', async () => {
    const { plans, rows } = await plansOf('filter[check_id]=check_7&sort=check_id');
    assert.equal(rows, 10);
    const [plan = '', ...others] = plans;
    assert.deepEqual(others, [], 'more than one statement read findings');
    assert.match(plan, /findings_check_provider/);
    assert.doesNotMatch(plan, /(?:Seq|Bitmap Heap) Scan on findings/);
    assert.match(plan, /findings_check_provider on findings .*actual rows=40\.00 loops=1\)/);
  });

  it('reads no findings if the stored counts are zero', async () => {
    const { plans, rows } = await plansOf('filter[service]=nothing-has-it');
    assert.deepEqual([rows, plans], [0, []]);
  });

  it('reads a page that spans two severities with one statement', async () => {
    const { plans, rows } = await plansOf('page[size]=30&page[number]=34');
    assert.equal(rows, 30);
    assert.equal(plans.length, 1);
    for (const plan of plans) assert.match(plan, /findings_check_provider/);
  });

  for (const sort of ['id', '-id']) {
    it(`starts the index scan at the cursor for findings sorted by ${sort}`, async () => {
      const { plans, rows } = await plansOf(`sort=${sort}&page[after]=${cursorOf(sort, SOME_ID)}`);
      assert.equal(rows, 10);
      const [plan = '', ...others] = plans;
      assert.deepEqual(others, [], 'more than one statement read findings');
      assert.match(plan, /Index Only Scan/);
      assert.doesNotMatch(plan, /Rows Removed by Filter|Seq Scan on findings/);
    });
  }

  for (const sort of ['check_id', '-check_id']) {
    it(`starts the index scan at the cursor's check for findings sorted by ${sort}`, async () => {
      const { plans, rows } = await plansOf(
        `sort=${sort}&page[after]=${cursorOf(sort, 'check_7', provider, SOME_ID)}`,
      );
      assert.equal(rows, 10);
      const [plan = '', ...others] = plans;
      assert.deepEqual(others, [], 'more than one statement read findings');
      assert.match(plan, /findings_check_provider/);
      assert.match(plan, /Index Cond: .*check_key = ANY/);
    });
  }

  it('uses the check index at the cursor for findings sorted by severity', async () => {
    const cursor = cursorOf('-severity', '4', 'FAIL', failingCheck, provider, SOME_ID);
    const { plans, rows } = await plansOf(`page[after]=${cursor}`);
    assert.equal(rows, 10);
    const [plan = '', ...others] = plans;
    assert.deepEqual(others, [], 'more than one statement read findings');
    assert.match(plan, /findings_check_provider/);
    assert.match(plan, /Index Cond: .*check_key = ANY/);
  });

  it('uses the index on keys for the name of the resource by which findings are sorted', async () => {
    await service.sql(
      `insert into resources (tenant_id, key, id, provider_id, uid, seen_at)
       select $1, 1000 + number, gen_random_uuid(), $2, 'resource-' || number, now() from generate_series(1, 5000) as number`,
      [service.tenantId, provider],
    );
    // Transactions of other tests delay the vacuum.
    await until(async () => {
      await service.sql('vacuum analyze resources');
      const visible = `select from pg_class where oid = 'resources'::regclass and relallvisible > relpages / 2`;
      return (await service.sql(visible)).length > 0;
    });
    const { rows } = await inTransaction(session, service.tenantId, () =>
      session.query<{ 'QUERY PLAN': string }>(
        `explain select ${FINDING_SORTS.resource.sql} from findings where findings.tenant_id = $1`,
        [service.tenantId],
      ),
    );
    assert.match(rows.map((row) => row['QUERY PLAN']).join('\n'), /resources_key on resources/);
  });
});
