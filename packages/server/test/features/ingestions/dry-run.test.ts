import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { type Client, createClient, type FileContent, type Resource } from '../../support/client.ts';
import { holdPending } from '../../support/held-jobs.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { record } from '../../support/records.ts';
import { assertTrueCounts } from '../../support/true-counts.ts';
import { makeWebhook } from '../../support/webhook-receiver.ts';

const TIME = 1_780_000_000;
const FRAME_RECORDS = 5000;

interface Report {
  readonly findings: Record<string, Record<string, number>>;
  readonly new_providers: {
    readonly total: number;
    readonly listed: readonly {
      readonly type: string;
      readonly account: string;
      readonly name: string | null;
    }[];
  };
  readonly errors: Record<string, number>;
  readonly warnings: Record<string, number>;
}

const finding = (account: string, uid: string, minutes: number, more: Record<string, unknown> = {}) =>
  record({
    time: TIME + minutes * 60,
    finding_info: { uid },
    metadata: { event_code: `check-${uid}`, product: { name: 'Scanner' } },
    resources: [{ uid: `resource-${uid}` }],
    cloud: { provider: 'aws', account: { uid: account, name: `Account ${account}` } },
    severity: 'High',
    severity_id: 4,
    ...more,
  });
const passed = { status_code: 'PASS' };
const low = { severity: 'Low', severity_id: 2 };

describe('a dry run', () => {
  let service: SharedService;
  let client: Client;
  let session: pg.Client;
  let webhook: string;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
    session = await service.connect();
    webhook = (await makeWebhook(client, { url: 'https://receiver.invalid/' })).id;
  });
  after(async () => {
    await session.end();
    await service.leave();
  });

  async function run(records: FileContent, parts: Record<string, string>) {
    const job = await client.ingest(records, { parts });
    return { id: job.id, job };
  }
  async function reportOf(id: string): Promise<Report> {
    const { status, body } = await client.get<{ attributes: Report }>(`/ingestions/${id}/dry-run`);
    assert.equal(status, 200, JSON.stringify(body));
    return body.data.attributes;
  }
  /** All data that an upload can change, except the jobs themselves. */
  async function everything() {
    const lists = ['findings?filter[state]=open,resolved&', 'providers?', 'scans?', 'checks?', 'resources?'];
    const read = async (list: string) => (await client.get<Resource[]>(`/${list}page[size]=1000`)).body.data;
    const bodies = await Promise.all(lists.map(read));
    // Without their attempts, which are repeated after five seconds.
    const deliveries = (await read(`webhooks/${webhook}/deliveries?`)).map(({ id }) => id);
    const { body } = await client.get('/subscription');
    return [...bodies, deliveries, body.data];
  }

  it('reports what the upload then does, and changes nothing itself', async () => {
    const account = 'dry-run';
    await run(
      [
        finding(account, 'same', 0),
        finding(account, 'fixed', 0),
        finding(account, 'regressed', 0, passed),
        finding(account, 'absent', 0, low),
        finding(account, 'resolved', 0),
      ],
      {},
    );
    await run(
      ['same', 'fixed', 'regressed', 'absent'].map((uid) =>
        finding(account, uid, 10, uid === 'regressed' ? passed : uid === 'absent' ? low : {}),
      ),
      { coverage: 'account' },
    );
    const upload = [
      finding(account, 'same', 20),
      finding(account, 'fixed', 20, passed),
      finding(account, 'regressed', 20),
      finding(account, 'resolved', 20),
      finding(account, 'new', 20, { severity: 'Critical', severity_id: 5 }),
      finding(account, 'new', 19, passed),
      finding('other', 'new', 20),
    ];
    const before = await everything();
    const dry = await run(upload, { coverage: 'account', dry_run: 'true' });
    assert.deepEqual(await everything(), before);
    assert.equal(dry.job.attributes.status, 'completed');
    assert.equal(dry.job.meta.dry_run, true);
    const report = await reportOf(dry.id);
    assert.deepEqual(report.new_providers, {
      total: 1,
      listed: [{ type: 'aws', account: 'other', name: 'Account other' }],
    });
    assert.equal(report.findings.new?.critical, 1);
    assert.equal(report.findings.new?.high, 1);
    assert.deepEqual(
      ['reopened', 'regressed', 'fixed', 'unchanged'].map((change) => report.findings[change]?.high),
      [1, 1, 1, 1],
    );
    assert.equal(report.findings.resolved?.low, 1);
    const real = await run(upload, { coverage: 'account' });
    assert.deepEqual(report.findings, real.job.meta.findings);
    assert.equal(real.job.meta.dry_run, false);
    await assertTrueCounts(service);
  });

  it('reports late records as the upload then places them', async () => {
    const account = 'dry-run-late';
    await run([finding(account, 'one', 0), finding(account, 'two', 10)], {});
    await run([finding(account, 'one', 20, passed)], {});
    const upload = [finding(account, 'one', 10), finding(account, 'two', 5, passed)];
    const dry = await reportOf((await run(upload, { dry_run: 'true' })).id);
    assert.deepEqual([dry.findings.unchanged?.high, dry.findings.new?.high], [1, 1]);
    const { job } = await run(upload, {});
    assert.deepEqual(dry.findings, job.meta.findings);
  });

  it('reports errors and warnings of all frames, and a failed job', async () => {
    const account = 'dry-run-failed';
    const others = Array.from({ length: FRAME_RECORDS }, (_, at) => finding(account, `other-${at}`, 0));
    const upload = [
      finding(account, 'twice', 0),
      { class_uid: 1 },
      ...others,
      finding(account, 'twice', 0, passed),
    ];
    const parts = { coverage: 'account' };
    const dry = await run(upload, { ...parts, dry_run: 'true' });
    assert.equal(dry.job.attributes.status, 'failed');
    const report = await reportOf(dry.id);
    assert.equal(report.new_providers.total, 1);
    const real = await run(upload, parts);
    assert.deepEqual(report.findings, real.job.meta.findings);
    for (const type of ['errors', 'warnings'] as const) {
      const path = (id: string) => `/ingestions/${id}/${type}?page[size]=1000`;
      const [inDryRun, inReal] = [
        await client.get<Resource[]>(path(dry.id)),
        await client.get<Resource[]>(path(real.id)),
      ];
      assert.deepEqual(report[type], inReal.body.meta.counts);
      assert.deepEqual(inDryRun.body.meta.counts, inReal.body.meta.counts);
      const positions = ({ data }: { readonly data: readonly Resource[] }) =>
        data.map(({ attributes: { code, byte_offset, detail } }) => [code, byte_offset, detail]);
      assert.deepEqual(positions(inDryRun.body), positions(inReal.body));
    }
  });

  it('reports a file without any records that can be read', async () => {
    const { id, job } = await run('{"not":\n"an array"}', { dry_run: 'true' });
    assert.equal(job.attributes.status, 'failed');
    assert.deepEqual((await reportOf(id)).errors, { not_an_array: 1 });
  });

  it('belongs to what makes two requests the same', async () => {
    const upload = [finding('dry-run-key', 'one', 0)];
    const headers = { 'idempotency-key': 'dry-run' };
    const send = (parts: Record<string, string>) => client.upload(upload, { parts, headers });
    const first = await send({ dry_run: 'true' });
    assert.equal((await send({ dry_run: 'true' })).body.data.id, first.body.data.id);
    assert.equal((await send({})).status, 422);
  });

  it('accepts true and false only, and once', async () => {
    for (const [dryRun, isValid] of [
      ['true', true],
      ['false', true],
      ['TRUE', false],
      ['1', false],
      ['', false],
    ] as const) {
      const { status, body } = await client.upload([finding('dry-run-values', 'one', 0)], {
        parts: { dry_run: dryRun },
      });
      assert.equal(status, isValid ? 202 : 400, dryRun);
      if (!isValid) assert.equal(body.errors?.[0]?.code, 'invalid_part');
    }
  });

  it('is hidden from workers of the previous release', async () => {
    const release = await holdPending(service);
    try {
      const { body } = await client.upload([finding('dry-run-hidden', 'one', 0)], {
        parts: { dry_run: 'true' },
      });
      await session.query('begin');
      const previous = (BigInt(`0x${service.tenantId.replaceAll('-', '')}`) - 1n)
        .toString(16)
        .padStart(32, '0');
      await session.query('update frame_queue set available_at = now() where ingestion_id = $1', [
        body.data.id,
      ]);
      const claimed = async (more: string) => {
        // Without the jobs of the tests above, which may still be in the queue.
        const { rows } = await session.query(
          `select ingestion_id from claim_frame($1,
             array(select distinct ingestion_id from frame_queue where ingestion_id <> $2) ${more})`,
          [previous, body.data.id],
        );
        return rows.some((row) => row.ingestion_id === body.data.id);
      };
      assert.deepEqual([await claimed(''), await claimed(', true')], [false, true]);
    } finally {
      await session.query('rollback');
      await release();
    }
  });

  it('has no report if the job is not a dry run or does not exist', async () => {
    const { id } = await run([finding('dry-run-none', 'one', 0)], { dry_run: 'false' });
    for (const path of [
      `/ingestions/${id}/dry-run`,
      '/ingestions/00000000-0000-4000-8000-000000000000/dry-run',
    ])
      assert.equal((await client.get(path)).status, 404);
  });
});
