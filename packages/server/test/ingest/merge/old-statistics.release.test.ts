import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../support/client.ts';
import { createDeployment, createTenantKey, type Deployment } from '../../support/deployment.ts';
import { record } from '../../support/records.ts';
import { createSandbox } from '../../support/sandbox.ts';
import type { Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';

// A list request that compares every pair of checks would exceed the statement timeout.
const RECORDS = 6000;
const FIRST_TIME = 1_780_000_000;
/** Maximum number of rows read from each table per finding, in total for ingestion and all list requests. */
const MAX_READ = 200;
const LISTS = [
  'findings?page[size]=1000&include=provider,check,scan',
  'findings?page[size]=1000&sort=check_id',
  'findings/summary',
  'findings/trend',
  'findings/summary?filter[muted]=false&filter[region__in]=second-region-1',
  'scans?page[size]=1000&include=provider',
  'providers?page[size]=1000',
  'checks?page[size]=1000',
  'checks?page[size]=1000&sort=-failing',
  'subscription',
];

/** Records that share no values. */
const distinct = (name: string, count: number, attributes: Record<string, unknown> = {}) =>
  Array.from({ length: count }, (_, at) =>
    record({
      ...attributes,
      finding_info: { uid: `${name}-${at}` },
      metadata: { event_code: `check_${name}_${at}` },
      cloud: { account: { uid: `${name}-account-${at}` } },
      resources: [{ uid: `${name}-${at}`, region: `${name}-region-${at}`, group: { name: `${name}-${at}` } }],
      unmapped: { scan_id: `${name}-scan-${at}` },
    }),
  );

describe('the vacuum after an upload', () => {
  const sandbox = createSandbox();
  after(() => sandbox.clear());

  it('leaves out tables with few pages, whose density is not representative', async () => {
    const deployment = await createDeployment(sandbox);
    const api = await deployment.startApi();
    await deployment.startWorker();
    const client = createClient(api.url, await createTenantKey(api));
    await client.ingest(
      Array.from({ length: 1000 }, (_, at) => record({ finding_info: { uid: `uid-${at}` } })),
    );
    const vacuumed = () =>
      api.sql(`select relname as table from pg_stat_user_tables where last_vacuum is not null`);
    await until(async () => (await vacuumed()).length > 0);
    await sleep(500);
    assert.deepEqual(await vacuumed(), [{ table: 'findings' }]);
  });
});

/** Tables that a worker vacuums after an upload, which updates their number of rows. */
const VACUUMED = ['findings', 'resources', 'finding_facets'];

// Each case uses a separate database, which is analyzed before the upload.
for (const [statistics, otherRecords] of [
  // The smallest number of changes after which autovacuum analyzes a table.
  ['of an almost empty database', 50],
  // PostgreSQL would then expect that the tenant has no rows.
  ['of a larger database of another tenant', RECORDS / 3],
] as const)
  describe(`an upload with the statistics ${statistics}`, () => {
    const sandbox = createSandbox();
    let deployment: Deployment;
    let api: Service;
    before(async () => {
      deployment = await createDeployment(sandbox);
      api = await deployment.startApi();
    });
    after(() => sandbox.clear());

    it('does not read a table once per record when ingesting the upload or listing the results', async () => {
      const worker = await deployment.startWorker();
      await createClient(api.url, await createTenantKey(api)).ingest(distinct('first', otherRecords));
      await api.sql('analyze');
      const vacuumLock = await api.connect();
      await vacuumLock.query(`begin; lock table ${VACUUMED.join()} in share update exclusive mode`);
      const client = createClient(api.url, await createTenantKey(api));
      // All findings are new, then changed, and then late.
      for (const time of [FIRST_TIME, FIRST_TIME + 2, FIRST_TIME + 1]) {
        const status_code = time === FIRST_TIME + 2 ? 'PASS' : 'FAIL';
        const file = distinct('second', RECORDS, { time, status_code });
        const { attributes } = await client.ingest(file, { parts: { coverage: 'account' } });
        assert.deepEqual(attributes.summary, { total: RECORDS, processed: RECORDS, invalid: 0 });
      }
      assert.equal((await client.get('/findings/summary')).status, 200);
      await vacuumLock.end();
      await vacuumLock.end();
      // Until the worker has vacuumed them, PostgreSQL expects a hundred rows in these tables.
      await until(async () => {
        const vacuumed = await api.sql(
          `select from pg_class where relname in ('resources', 'finding_facets') and relkind = 'r' and reltuples > $1`,
          [RECORDS / 2],
        );
        return vacuumed.length === 2;
      });
      for (const list of LISTS) assert.equal((await client.get(`/${list}`)).status, 200, list);
      // Closes the connections, because a backend may not report its statistics until it exits.
      worker.signalGroup('SIGTERM');
      await worker.exited;
      await api.end();
      const reads = await api.sql<{ table: string; rows: number }>(
        `select relname as table, (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::float8 as rows
         from pg_stat_user_tables order by rows desc`,
        [],
      );
      assert.ok(reads.some(({ rows }) => rows > 0));
      assert.deepEqual(
        reads.filter(({ rows }) => rows > MAX_READ * RECORDS),
        [],
      );
    });
  });

describe('coverage with the statistics of a table in which nearly all rows were dead', () => {
  const sandbox = createSandbox();
  after(() => sandbox.clear());

  it('does not read all findings for each finding that it resolves', async () => {
    const deployment = await createDeployment(sandbox);
    const api = await deployment.startApi();
    const worker = await deployment.startWorker();
    const client = createClient(api.url, await createTenantKey(api));
    const upload = async (second: number, count: number, coverage: string) => {
      const file = Array.from({ length: count }, (_, at) =>
        record({
          time: FIRST_TIME + second,
          metadata: { product: { name: 'Scanner' } },
          finding_info: { uid: `uid-${at}` },
          resources: [{ uid: `resource ${at}` }],
        }),
      );
      return await client.ingest(file, { parts: { coverage } });
    };
    await upload(0, RECORDS, 'partial');
    const vacuumLock = await api.connect();
    await vacuumLock.query('begin; lock table findings in share update exclusive mode');
    // As after a vacuum while an upload was rolled back: PostgreSQL expects no rows in any number of pages.
    await api.sql("update pg_class set reltuples = 0, relpages = 100 where oid = 'findings'::regclass");
    try {
      const resolved = await upload(3, 10, 'account');
      assert.partialDeepStrictEqual(resolved.meta.findings, { resolved: { high: RECORDS - 10 } });
      // Reopens these findings until the coverage of the other upload, which then resolves them.
      await upload(2, RECORDS, 'partial');
      // The same findings were also resolved before this record.
      const past = await upload(1, 10, 'account');
      assert.partialDeepStrictEqual(past.meta.findings, { resolved: { high: RECORDS - 10 } });
    } finally {
      await vacuumLock.end();
    }
    worker.signalGroup('SIGTERM');
    await worker.exited;
    await api.end();
    const [reads] = await api.sql<{ rows: number }>(
      "select (seq_tup_read + idx_tup_fetch)::float8 as rows from pg_stat_user_tables where relname = 'findings'",
      [],
    );
    assert.ok(
      reads !== undefined && reads.rows > 0 && reads.rows <= MAX_READ * RECORDS,
      JSON.stringify(reads),
    );
  });
});
