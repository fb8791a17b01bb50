import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type Client,
  createClient,
  type Ingestion,
  type IngestionError,
  type Resource,
} from '../../support/client.ts';
import { itInWholeRun } from '../../support/is-whole-run.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { record } from '../../support/records.ts';
import { assertTrueCounts } from '../../support/true-counts.ts';
import { until } from '../../support/until.ts';

const DAY = 86_400;
const EPOCH = 1_780_000_000;
const at = (day: number) => EPOCH + day * DAY;
const iso = (day: number) => new Date(at(day) * 1000).toISOString().replace('Z', '000Z');

interface Seen {
  readonly uid: string;
  readonly day: number;
  readonly account: string;
  readonly check?: string;
  /** `null` for a record without a product. */
  readonly product?: string | null;
  readonly status?: string;
}

function seen({ uid, day, account, check = 'check-1', product = 'Scanner', status = 'FAIL' }: Seen) {
  return record({
    time: at(day),
    status_code: status,
    metadata: { event_code: check, ...(product !== null && { product: { name: product } }) },
    finding_info: { uid },
    cloud: { provider: 'aws', account: { uid: account } },
  });
}

describe('findings that are absent from an upload', () => {
  let service: SharedService;
  let client: Client;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
  });
  after(() => service.leave());

  const ingest = (coverage: string | undefined, records: readonly Record<string, unknown>[]) =>
    client.ingest(records, coverage === undefined ? {} : { parts: { coverage } });

  /** The states of all findings of an account, by uid. */
  async function states(account: string): Promise<Record<string, unknown>> {
    const { status, body } = await client.get<Resource[]>(
      `/findings?filter[account]=${account}&filter[state]=open,resolved&sort=id`,
    );
    assert.equal(status, 200, JSON.stringify(body));
    return Object.fromEntries(
      body.data.map(({ attributes: { uid, state, resolved_at } }) => [
        uid,
        state === 'open' ? state : resolved_at,
      ]),
    );
  }

  async function warnings({ id }: Ingestion): Promise<Record<string, number>> {
    return (await client.get<IngestionError[]>(`/ingestions/${id}/warnings`)).body.meta.counts;
  }

  it('absent findings stay open if the upload declares no coverage, or `partial`', async () => {
    const account = 'coverage-partial';
    await ingest(
      undefined,
      ['a', 'b', 'c'].map((uid) => seen({ uid, day: 1, account })),
    );
    const none = await ingest(undefined, [seen({ uid: 'a', day: 2, account })]);
    const partial = await ingest('partial', [seen({ uid: 'b', day: 2, account })]);
    assert.deepEqual(await states(account), { a: 'open', b: 'open', c: 'open' });
    assert.deepEqual([none.meta.coverage, partial.meta.coverage], ['partial', 'partial']);
  });

  it('absent findings are resolved at the time of the upload if it is complete for their account and product', async () => {
    const account = 'coverage-account';
    await ingest(undefined, [
      seen({ uid: 'gone', day: 1, account, status: 'PASS' }),
      seen({ uid: 'kept', day: 1, account }),
      seen({ uid: 'other-check', day: 1, account, check: 'check-2' }),
      seen({ uid: 'other-product', day: 1, account, product: 'Other' }),
      seen({ uid: 'no-product', day: 1, account, product: null }),
      seen({ uid: 'other-account', day: 1, account: `${account}-2` }),
    ]);
    const job = await ingest('account', [
      seen({ uid: 'kept', day: 3, account }),
      seen({ uid: 'added', day: 2, account }),
    ]);
    assert.equal(job.attributes.status, 'completed');
    assert.equal(job.meta.coverage, 'account');
    assert.deepEqual(await states(account), {
      gone: iso(2),
      kept: 'open',
      added: 'open',
      'other-check': iso(2),
      'other-product': 'open',
      'no-product': 'open',
    });
    assert.deepEqual(await states(`${account}-2`), { 'other-account': 'open' });
    const { body } = await client.get<Resource[]>(
      `/findings?filter[state]=resolved&filter[account]=${account}&filter[check_id]=check-1`,
    );
    const [resolved] = body.data;
    assert.equal(resolved?.attributes.status, 'PASS');
    assert.equal(resolved?.attributes.state, 'resolved');
    assert.equal(resolved?.relationships.resolved_by?.data.id, job.id);
    await assertTrueCounts(service);
  });

  it('absent findings are resolved only for the checks of the upload if it is complete for checks', async () => {
    const account = 'coverage-checks';
    await ingest(undefined, [
      seen({ uid: 'gone-1', day: 1, account }),
      seen({ uid: 'gone-2', day: 1, account, check: 'check-2' }),
      seen({ uid: 'gone-3', day: 1, account, check: 'check-3' }),
    ]);
    await ingest('checks', [
      seen({ uid: 'new-1', day: 3, account }),
      seen({ uid: 'new-2', day: 2, account, check: 'check-2' }),
    ]);
    assert.deepEqual(await states(account), {
      'gone-1': iso(3),
      'gone-2': iso(2),
      'gone-3': 'open',
      'new-1': 'open',
      'new-2': 'open',
    });
  });

  it('absent findings are open again when a newer record contains them', async () => {
    const account = 'coverage-reopened';
    await ingest(
      undefined,
      ['a', 'b'].map((uid) => seen({ uid, day: 1, account })),
    );
    await ingest('account', [seen({ uid: 'a', day: 2, account })]);
    assert.deepEqual(await states(account), { a: 'open', b: iso(2) });
    await ingest(undefined, [seen({ uid: 'b', day: 3, account })]);
    assert.deepEqual(await states(account), { a: 'open', b: 'open' });
    await assertTrueCounts(service);
  });

  it('absent findings keep the time at which they were resolved first, in whatever order uploads arrive', async () => {
    const account = 'coverage-late';
    const gone = seen({ uid: 'gone', day: 1, account });
    const later = await ingest('account', [seen({ uid: 'kept', day: 4, account })]);
    await ingest(undefined, [gone]);
    assert.deepEqual(await states(account), { gone: iso(4), kept: 'open' });
    await ingest('account', [seen({ uid: 'kept', day: 2, account })]);
    assert.deepEqual(await states(account), { gone: iso(2), kept: 'open' });
    await ingest('account', [seen({ uid: 'kept', day: 5, account })]);
    assert.deepEqual(await states(account), { gone: iso(2), kept: 'open' });
    await ingest(undefined, [seen({ uid: 'gone', day: 3, account })]);
    assert.deepEqual(await states(account), { gone: iso(4), kept: 'open' });
    const { body } = await client.get<Resource[]>(
      `/findings?filter[state]=resolved&filter[account]=${account}`,
    );
    assert.equal(body.data[0]?.relationships.resolved_by?.data.id, later.id);
    await assertTrueCounts(service);
  });

  it('absent findings stay open, with a warning, if a record of the upload is invalid', async () => {
    const account = 'coverage-invalid';
    await ingest(undefined, [seen({ uid: 'gone', day: 1, account })]);
    const job = await ingest('account', [seen({ uid: 'a', day: 2, account }), { class_uid: 2004 }]);
    assert.equal(job.attributes.status, 'failed');
    assert.deepEqual(await states(account), { gone: 'open', a: 'open' });
    assert.deepEqual(await warnings(job), { coverage_not_applied: 1 });
    assert.equal(job.meta.warnings, 1);
  });

  it('absent findings stay open, with a warning, if no record of the upload names its product', async () => {
    const account = 'coverage-no-product';
    await ingest(undefined, [seen({ uid: 'gone', day: 1, account, product: null })]);
    const job = await ingest('account', [seen({ uid: 'a', day: 2, account, product: null })]);
    assert.equal(job.attributes.status, 'completed');
    assert.deepEqual(await states(account), { gone: 'open', a: 'open' });
    assert.deepEqual(await warnings(job), { coverage_not_applied: 1 });
    const { body } = await client.get<IngestionError[]>(`/ingestions/${job.id}/warnings`);
    const [warning] = body.data;
    assert.equal(warning?.attributes.record_index, null);
    assert.match(warning?.attributes.detail ?? '', /metadata\.product\.name/);
  });

  for (const coverage of ['account', 'checks'])
    it(`absent findings are resolved except in accounts without a product, with a warning, if it is complete for ${coverage}`, async () => {
      const [named, unnamed, mixed] = ['named', 'unnamed', 'mixed'].map((name) => `${coverage}-${name}`);
      assert.ok(named !== undefined && unnamed !== undefined && mixed !== undefined);
      const records = (uid: string, day: number) => [
        seen({ uid, day, account: named }),
        seen({ uid, day, account: unnamed, product: null }),
        seen({ uid, day, account: mixed }),
        seen({ uid: `${uid}-unnamed`, day, account: mixed, product: null }),
      ];
      await ingest(undefined, records('gone', 1));
      const parts = { coverage, dry_run: 'true' };
      const dryRun = await client.ingest(records('kept', 2), { parts });
      const report = await client.get<Resource>(`/ingestions/${dryRun.id}/dry-run`);
      const job = await ingest(coverage, records('kept', 2));
      assert.deepEqual(report.body.data.attributes.findings, job.meta.findings);
      assert.deepEqual(await states(named), { gone: iso(2), kept: 'open' });
      assert.deepEqual(await states(unnamed), { gone: 'open', kept: 'open' });
      assert.deepEqual(await states(mixed), {
        gone: iso(2),
        kept: 'open',
        'gone-unnamed': 'open',
        'kept-unnamed': 'open',
      });
      for (const { id, attributes, meta } of [dryRun, job]) {
        assert.deepEqual([attributes.status, meta.warnings], ['completed', 1]);
        const { body } = await client.get<IngestionError[]>(`/ingestions/${id}/warnings`);
        assert.deepEqual(body.meta.counts, { coverage_not_applied: 1 });
        assert.equal(
          body.data[0]?.attributes.detail,
          'No findings were resolved in 1 account: none of its records names its product (metadata.product.name).',
        );
      }
    });

  it('absent findings are not counted in lists, summaries, groups, checks, providers and resources', async () => {
    const account = 'coverage-counts';
    const uids = ['a', 'b', 'c', 'd'];
    await ingest(
      undefined,
      uids.map((uid) => seen({ uid, day: 1, account, check: 'counted' })),
    );
    await ingest('account', [seen({ uid: 'a', day: 2, account, check: 'counted' })]);
    const filter = `filter[account]=${account}`;
    const count = async (path: string) => (await client.get<unknown[]>(path)).body.meta.pagination.count;
    assert.equal(await count(`/findings?${filter}`), 1);
    assert.equal(await count(`/findings?${filter}&filter[state]=open`), 1);
    assert.equal(await count(`/findings?${filter}&filter[state]=resolved`), 3);
    assert.equal(await count(`/findings?${filter}&filter[state]=open,resolved`), 4);
    const total = async (path: string, name: string) =>
      [(await client.get<Resource | Resource[]>(path)).body.data].flat()[0]?.attributes[name];
    assert.equal(await total(`/findings/summary?${filter}`, 'failed'), 1);
    assert.equal(await total(`/findings/summary?${filter}&filter[state]=resolved`, 'failed'), 3);
    for (const by of ['check', 'account', 'service', 'resource']) {
      assert.equal(await total(`/findings/groups?by=${by}&${filter}`, 'total'), 1, by);
      assert.equal(await total(`/findings/groups?by=${by}&${filter}&sort=resources`, 'failing'), 1, by);
      assert.equal(
        await total(`/findings/groups?by=${by}&${filter}&filter[state]=open,resolved`, 'total'),
        4,
      );
    }
    assert.deepEqual(await total(`/providers?${filter}`, 'findings'), { total: 1, failing: 1 });
    assert.deepEqual(await total('/checks?filter[search]=counted', 'findings'), { total: 1, failing: 1 });
    const [finding] = (await client.get<Resource[]>(`/findings?${filter}`)).body.data;
    const resource = await client.get<Resource>(
      `/resources/${finding?.relationships.resource?.data.id ?? assert.fail()}`,
    );
    assert.equal(Object(resource.body.data.attributes.findings).total, 1);
  });

  itInWholeRun(
    'absent findings stay open in a new provider after the deletion of the provider that a complete upload covered',
    async () => {
      const account = 'coverage-deleted';
      await ingest('account', [seen({ uid: 'kept', day: 2, account })]);
      const { body } = await client.get<Resource[]>(`/providers?filter[account]=${account}`);
      assert.equal((await client.delete(`/providers/${body.data[0]?.id}`)).status, 204);
      await until(async () => {
        const { tenantId } = service;
        const left = await service.sql('select from provider_removals where tenant_id = $1', [tenantId]);
        return left.length === 0;
      });
      await ingest(undefined, [seen({ uid: 'late', day: 1, account })]);
      assert.deepEqual(await states(account), { late: 'open' });
      const left = await service.sql('select from coverages where provider_id = $1', [body.data[0]?.id]);
      assert.equal(left.length, 0);
    },
  );

  it('absent findings are resolved by the retry of a complete upload, which has the same coverage', async () => {
    const account = 'coverage-retried';
    await ingest(undefined, [seen({ uid: 'gone', day: 1, account })]);
    const withoutAccount = { ...seen({ uid: 'kept', day: 2, account }), cloud: { provider: 'aws' } };
    const failed = await ingest('account', [withoutAccount]);
    assert.equal(failed.attributes.status, 'failed');
    const retried = await client.document<Ingestion>('POST', `/ingestions/${failed.id}/retry`, {
      type: 'ingestions',
      attributes: { account },
    });
    const job = await client.ended(retried.body.data.id);
    assert.deepEqual([job.attributes.status, job.meta.coverage], ['completed', 'account']);
    assert.deepEqual(await states(account), { gone: iso(2), kept: 'open' });
  });
});
