import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { z } from 'zod';
import { MAX_FAILURES, MAX_INTERRUPTIONS } from '../../../src/ingest/worker/attempt-frame.ts';
import {
  type ApiTextResponse,
  type Client,
  createClient,
  type IngestionError,
  type Resource,
  type UploadOptions,
} from '../../support/client.ts';
import { flipBit, removeFile } from '../../support/damaged-files.ts';
import { createDeployment, createTenantKey, type Deployment } from '../../support/deployment.ts';
import { itInWholeRun } from '../../support/is-whole-run.ts';
import { openSession } from '../../support/open-session.ts';
import type { StartedProcess } from '../../support/process.ts';
import { record } from '../../support/records.ts';
import { assertRefused, blobOf } from '../../support/refusal.ts';
import { createSandbox } from '../../support/sandbox.ts';
import type { Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const counts = z.record(z.string(), z.number());
const dryRun = z.object({ findings: z.record(z.string(), counts), errors: counts, warnings: counts });

const findings = (uid: string, count: number) =>
  Array.from({ length: count }, (_, at) => record({ finding_info: { uid: `${uid}-${at}` } }));

const metadata = { event_code: 'c', product: { name: 'Scanner' } };
const seen = (uid: string, time: number, members: object = {}) =>
  record({ time, finding_info: { uid }, metadata, ...members });

// Uses separate processes: the worker starts after the files have been damaged.
describe('a stored file that cannot be read', () => {
  const sandbox = createSandbox();
  let deployment: Deployment;
  let api: Service;
  let client: Client;
  let tenant: string;
  before(async () => {
    deployment = await createDeployment(sandbox);
    api = await deployment.startApi();
    client = createClient(api.url, await createTenantKey(api));
    const [row] = await api.sql<{ id: string }>('select tenant_id as id from tenants');
    tenant = row?.id ?? '';
  });
  after(() => sandbox.clear());

  const accepted = async (records: readonly unknown[], options: UploadOptions = {}) => {
    const { status, body } = await client.upload(records, options);
    assert.equal(status, 202);
    return body.data.id;
  };
  const fileOf = (id: string) => blobOf(deployment.dataDir, id);
  const indexBytes = async (id: string) => {
    const [frame] = await api.sql<{ bytes: number }>(
      'select index_bytes as bytes from frames where ingestion_id = $1',
      [id],
    );
    return frame?.bytes ?? assert.fail();
  };
  const damage = async (id: string, position: number) => await flipBit(await fileOf(id), position);
  const remove = async (id: string) => await removeFile(await fileOf(id));
  const faultOf = async (id: string) => {
    const [frame] = await api.sql<{ fault: string | null; interruptions: number }>(
      'select file_fault as fault, interruptions from frames where ingestion_id = $1 order by number limit 1',
      [id],
    );
    return frame;
  };
  /** As if the file had been missing in all attempts. */
  const exhaustAttempts = async (id: string) =>
    await api.sql(
      `update frames set interruptions = $2, file_fault = 'file_missing' where ingestion_id = $1`,
      [id, MAX_INTERRUPTIONS],
    );
  const retry = (id: string) =>
    api.sluiceJson<{ id: string; frames: number; records: number }>('job', 'retry', '--tenant', tenant, id);
  const jobOf = async (id: string) => (await client.get(`/ingestions/${id}`)).body.data.attributes;
  const summary = (total: number, processed: number, invalid: number) => ({ total, processed, invalid });
  const stop = async (worker: StartedProcess) => {
    worker.signalGroup('SIGTERM');
    await worker.exited;
  };

  it('reschedules the frames of an unreadable file, reports the file, and rejects no records', async () => {
    const withDamagedIndex = await accepted(findings('index', 50));
    const withDamagedData = await accepted(findings('data', 50));
    const missing = await accepted(findings('missing', 50));
    const jobs = [
      {
        id: withDamagedIndex,
        restore: await damage(withDamagedIndex, 3 - (await indexBytes(withDamagedIndex)) + 20),
        code: 'file_damaged',
      },
      { id: withDamagedData, restore: await damage(withDamagedData, 200), code: 'file_damaged' },
      { id: missing, restore: await remove(missing), code: 'file_missing' },
    ];
    const worker = await deployment.startWorker();
    for (const { id, code } of jobs) {
      await until(async () => (await faultOf(id))?.fault === code);
      const { status, summary: counts, completed_at } = await jobOf(id);
      assert.deepEqual([status, counts, completed_at], ['processing', summary(50, 0, 0), null]);
      assert.deepEqual((await client.errors(id)).errors, []);
      for (const name of ['file', 'records/7']) {
        // The download and the record are read from the data, which the damaged index does not affect.
        if (id === withDamagedIndex && name === 'file') continue;
        const response: ApiTextResponse<unknown> = await client.get(`/ingestions/${id}/${name}`);
        assertRefused(response, { status: 503, code, detail: /^The stored file of this upload is / });
      }
    }
    // Each frame is rescheduled more than once for the same reason, but the reason is logged only once.
    await until(async () => ((await faultOf(withDamagedData))?.interruptions ?? 0) >= 2);
    const lines = worker.output.stderr
      .split('\n')
      .filter((line) => line.includes('will be retried until the file is restored'));
    assert.equal(lines.length, 3);

    // Without the command, the frames would wait for an hour. The command waits for attempts in progress.
    await api.sql("update frame_queue set available_at = now() + interval '1 hour'", []);
    for (const { restore } of jobs) await restore();
    assert.deepEqual(await retry(missing), { id: missing, frames: 1, records: 50 });
    await retry(withDamagedIndex);
    await retry(withDamagedData);
    for (const { id } of jobs) {
      const { attributes } = await client.ended(id);
      assert.deepEqual([attributes.status, attributes.summary], ['completed', summary(50, 50, 0)]);
      assert.deepEqual((await client.errors(id)).counts, {});
    }
    await stop(worker);
  });

  itInWholeRun(
    'fails the job of an unreadable file after the last attempt, and `sluice job retry` ingests the file once it is restored',
    async () => {
      const id = await accepted(findings('last', 30));
      const restore = await remove(id);
      await exhaustAttempts(id);
      const worker = await deployment.startWorker();
      const failed = await client.ended(id);
      assert.deepEqual(
        [failed.attributes.status, failed.attributes.summary],
        ['failed', summary(30, 30, 30)],
      );
      const { errors, counts } = await client.errors(id);
      assert.deepEqual(counts, { file_missing: 30 });
      assert.match(
        errors[0]?.detail ?? '',
        /^Records 0 to 29 could not be read in \d+ attempts: the stored file is missing/,
      );
      await stop(worker);

      await restore();
      await retry(id);
      const queued = await jobOf(id);
      assert.deepEqual(
        [queued.status, queued.summary, queued.completed_at],
        ['processing', summary(30, 30, 30), null],
      );
      assert.deepEqual((await client.errors(id)).counts, { file_missing: 30 });
      const restarted = await deployment.startWorker();
      const { attributes } = await client.ended(id);
      assert.deepEqual([attributes.status, attributes.summary], ['completed', summary(30, 30, 0)]);
      assert.deepEqual(await client.errors(id), { errors: [], counts: {} });
      await assert.rejects(retry(id), /ingestion .* has no failed frames/);
      await assert.rejects(retry(tenant), /the tenant has no ingestion/);
      await stop(restarted);
    },
  );

  it('retries failed frames and removes their errors once the frames are ingested', async () => {
    await api.sql(`create function trap() returns trigger language plpgsql as $$
      begin if new.uid like 'trap-5%' then raise exception 'trapped' using errcode = 'XX000'; end if; return new; end $$`);
    await api.sql('create trigger trap before insert on findings for each row execute function trap()');
    const records: unknown[] = findings('trap', 5010);
    records[5009] = {};
    const id = await accepted(records);
    await api.sql('update frames set failures = $2 where ingestion_id = $1', [id, MAX_FAILURES - 1]);
    const worker = await deployment.startWorker();
    const failed = await client.ended(id);
    assert.equal(failed.attributes.status, 'failed');
    assert.deepEqual(failed.attributes.summary, summary(5010, 5010, 5010));
    assert.deepEqual((await client.errors(id)).counts, { processing_failed: 5010 });
    await api.sql('drop trigger trap on findings');
    assert.deepEqual(await retry(id), { id, frames: 2, records: 5010 });
    const { attributes } = await client.ended(id);
    assert.deepEqual([attributes.status, attributes.summary], ['failed', summary(5010, 5010, 1)]);
    const { errors, counts } = await client.errors(id);
    assert.deepEqual([errors.length, counts], [1, { unsupported_class: 1 }]);
    const { body } = await client.get<unknown[]>(`/findings?filter[ingestion]=${id}`);
    assert.equal(body.meta.pagination.count, 5009);
    await stop(worker);
  });

  itInWholeRun('applies the coverage of an upload once its failed frames are ingested', async () => {
    const absent = await accepted([seen('absent', 1_700_000_000)]);
    const id = await accepted([seen('present', 1_700_000_001)], { parts: { coverage: 'account' } });
    const restore = await remove(id);
    await exhaustAttempts(id);
    const worker = await deployment.startWorker();
    const state = async () => {
      const { body } = await client.get<Resource[]>(
        '/findings?filter[uid]=absent&filter[state]=open,resolved',
      );
      const warnings = await client.get<IngestionError[]>(`/ingestions/${id}/warnings`);
      const { meta } = (await client.get(`/ingestions/${id}`)).body.data;
      return [body.data[0]?.attributes.state, warnings.body.meta.counts, meta.warnings];
    };
    await client.ended(absent);
    assert.equal((await client.ended(id)).attributes.status, 'failed');
    assert.deepEqual(await state(), ['open', { coverage_not_applied: 1 }, 1]);
    await restore();
    // As if a worker had claimed the end of the failed job, but not removed it from the queue yet.
    await until(async () => (await api.sql('select from frame_queue')).length === 0);
    await api.sql('insert into frame_queue (tenant_id, ingestion_id, number) values ($1, $2, 1)', [
      tenant,
      id,
    ]);
    const session = await openSession(api);
    await session.query('begin');
    await session.query('select from frame_queue where ingestion_id = $1 for update', [id]);
    const retried = retry(id);
    await until(async () => {
      const waiting = await api.sql(`select from pg_stat_activity where wait_event = 'transactionid'`);
      const queued = await api.sql('select from frame_queue where ingestion_id = $1 and number = 0', [id]);
      return waiting.length > 0 || queued.length > 0;
    });
    await session.query('delete from frame_queue where ingestion_id = $1 and number = 1', [id]);
    await session.query('commit');
    await session.end();
    await retried;
    assert.equal((await client.ended(id)).attributes.status, 'completed');
    assert.deepEqual(await state(), ['resolved', {}, 0]);
    await stop(worker);
  });

  itInWholeRun('reports all of a dry run once its failed frames are examined', async () => {
    const account = { cloud: { provider: 'aws', account: { uid: 'dry' } } };
    const absent = await accepted([seen('absent', 1_700_000_000, account)]);
    const records = Array.from({ length: 5010 }, (_, at) => seen(`new-${at % 5005}`, 1_700_000_001, account));
    const worker = await deployment.startWorker();
    await client.ended(absent);
    await stop(worker);
    const id = await accepted(records, { parts: { coverage: 'account', dry_run: 'true' } });
    await api.sql('update frames set interruptions = $2 where ingestion_id = $1 and number = 0', [
      id,
      MAX_INTERRUPTIONS,
    ]);
    const reported = async () => {
      const { status, summary: counts } = (await client.ended(id)).attributes;
      const { body } = await client.get<Resource>(`/ingestions/${id}/dry-run`);
      const report = dryRun.parse(body.data.attributes);
      const [added, resolved] = ['new', 'resolved'].map((change) =>
        Object.values(report.findings[change] ?? {}).reduce((sum, count) => sum + count, 0),
      );
      return [status, counts, added, resolved, report.errors, report.warnings];
    };
    const restarted = await deployment.startWorker();
    assert.deepEqual(await reported(), [
      'failed',
      summary(5010, 5010, 5000),
      10,
      0,
      { processing_failed: 5000 },
      { coverage_not_applied: 1 },
    ]);
    await retry(id);
    assert.deepEqual(await reported(), [
      'completed',
      summary(5010, 5010, 0),
      5005,
      1,
      {},
      { duplicate_finding: 5 },
    ]);
    await stop(restarted);
  });

  itInWholeRun('detects any flipped bit and never returns altered data with 200', async () => {
    const worker = await deployment.startWorker();
    const id = await accepted(findings('flip', 200));
    await client.ended(id);
    const { body } = await client.get<{ id: string }[]>(`/findings?filter[ingestion]=${id}&page[size]=3`);
    const end = (await readFile(await fileOf(id))).length - (await indexBytes(id));
    for (let part = 0; part < 25; part++) {
      const restore = await damage(id, Math.floor((end * part) / 25));
      for (const path of [
        ...body.data.map((finding) => `/findings/${finding.id}`),
        `/ingestions/${id}/records/0`,
      ])
        assertRefused(await client.get(path), { status: 503, code: 'file_damaged', detail: /is damaged/ });
      await restore();
    }
    assert.equal((await client.get(`/findings/${body.data[0]?.id}`)).status, 200);
    await stop(worker);
  });
});
