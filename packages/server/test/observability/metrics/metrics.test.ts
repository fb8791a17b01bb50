import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient } from '../../support/client.ts';
import { holdPending } from '../../support/held-jobs.ts';
import { CLOSING, filePart, partHead } from '../../support/multipart.ts';
import { openUpload } from '../../support/open-request.ts';
import { endPostmaster } from '../../support/postmaster.ts';
import { scrape } from '../../support/prometheus.ts';
import { record } from '../../support/records.ts';
import { createSecondTenant } from '../../support/second-tenant.ts';
import { type Service, startEmbeddedService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const REQUESTS = 'sluice_http_request_duration_seconds_count';

describe('metrics', () => {
  let service: Service;
  let client: Client;
  before(async () => {
    service = await startEmbeddedService({ LOG_LEVEL: 'silent', SLUICE_WORKERS: '1' });
    client = createClient(service.url, service.key);
  });
  after(() => service.remove());

  it('exports all metrics, including process metrics, in the Prometheus format with descriptions', async () => {
    const { families } = await scrape(service.url);
    for (const [name, type] of [
      ['nodejs_eventloop_lag_p99_seconds', 'gauge'],
      ['nodejs_gc_duration_seconds', 'histogram'],
      ['process_resident_memory_bytes', 'gauge'],
      ['process_cpu_seconds_total', 'counter'],
    ] as const)
      assert.equal(families.get(name), type, name);
  });

  it('counts requests by route pattern and responses by error code', async () => {
    const { id } = await client.ingest([record()]);
    await client.get('/ingestions?page[size]=0');
    await client.get('/no/such/thing');
    await client.as('wrong').get('/ingestions');
    const { samples, value } = await scrape(service.url);
    const route = '/api/v1/ingestions';
    assert.equal(value(REQUESTS, { method: 'POST', route, status: '202' }), 1);
    assert.equal(value(REQUESTS, { method: 'GET', route, status: '400' }), 1);
    assert.equal(value(REQUESTS, { method: 'GET', route, status: '401' }), 1);
    assert.equal(value(REQUESTS, { method: 'GET', route: 'none', status: '404' }), 1);
    assert.ok(Number(value(REQUESTS, { route: `${route}/:id`, status: '200' })) >= 1);
    for (const code of ['invalid_parameter', 'invalid_api_key', 'not_found'])
      assert.equal(value('sluice_http_errors_total', { code }), 1, code);
    const labels = JSON.stringify(samples.map((sample) => sample.labels));
    for (const secret of [id, service.tenantId, service.key]) assert.ok(!labels.includes(secret));
  });

  it('reports uploads in progress and received bytes', async () => {
    const before = await scrape(service.url);
    const file = JSON.stringify([record()]);
    const upload = openUpload(service);
    await upload.send(partHead(filePart('')));
    await upload.send(file.slice(0, 10));
    await until(async () => (await scrape(service.url)).value('sluice_uploads_in_progress') === 1);
    upload.request.end(`${file.slice(10)}\r\n${CLOSING}`);
    const { body } = await upload.response;
    const { value } = await scrape(service.url);
    assert.equal(value('sluice_uploads_in_progress'), 0);
    const name = 'sluice_upload_received_bytes_total';
    assert.equal(Number(value(name)) - Number(before.value(name)), file.length);
    await client.ended(body.data.id);
  });

  /** Waits until every job is counted, because workers report a frame shortly after its job ends. */
  const scrapeAllReported = () =>
    until(async () => {
      const [row] = await service.sql<{ ended: number }>(
        `select count(*)::int as ended from ingestions where status in ('completed', 'failed')`,
      );
      const scraped = await scrape(service.url);
      return scraped.value('sluice_jobs_ended_total') === row?.ended && scraped;
    });

  it('counts worker thread activity and record errors', async () => {
    const before = await scrapeAllReported();
    await client.ingest([record(), record({ class_uid: 1 }), record({ finding_info: { uid: '' } }), 5]);
    const { value } = await scrapeAllReported();
    const added = (name: string, labels = {}) =>
      (value(name, labels) ?? 0) - (before.value(name, labels) ?? 0);
    assert.equal(added('sluice_frames_total', { result: 'processed' }), 1);
    assert.equal(added('sluice_records_processed_total'), 4);
    assert.equal(added('sluice_jobs_ended_total', { status: 'failed' }), 1);
    for (const code of ['unsupported_class', 'required', 'invalid_type'])
      assert.equal(added('sluice_record_errors_total', { code }), 1, code);
    assert.equal(added('sluice_frame_duration_seconds_count', { result: 'processed' }), 1);
    for (const step of ['read', 'parse', 'merge', 'finish'])
      assert.equal(added('sluice_frame_step_duration_seconds_count', { step }), 1, step);
  });

  it('reports queue metrics separately for tenants with few jobs and tenants with many jobs', async () => {
    const { client: otherClient } = await createSecondTenant(service);
    const release = await holdPending(service);
    const jobs = await Promise.all(Array.from({ length: 11 }, () => client.upload([record()])));
    const small = await otherClient.upload([record()]);
    await service.sql(
      `update frame_queue set queued_at = now() - interval '1 hour' where ingestion_id = $1`,
      [jobs[0]?.body.data.id],
    );
    const { value } = await scrape(service.url);
    const queue = (tenantClass: string) =>
      ['tenants', 'frames', 'jobs'].map((name) => value(`sluice_queue_${name}`, { class: tenantClass }));
    assert.deepEqual(
      [queue('few'), queue('many')],
      [
        [1, 1, 1],
        [1, 11, 11],
      ],
    );
    const age = (tenantClass: string) =>
      Number(value('sluice_queue_oldest_frame_age_seconds', { class: tenantClass }));
    assert.ok(age('many') >= 3600 && age('many') < 3700, String(age('many')));
    assert.ok(age('few') >= 0 && age('few') < 100, String(age('few')));
    await release();
    for (const { body } of jobs) await client.ended(body.data.id);
    await otherClient.ended(small.body.data.id);
    assert.equal((await scrape(service.url)).value('sluice_queue_frames'), 0);
  });

  it('reports connection pool usage', async () => {
    // Opens a connection, because idle connections are closed after a timeout.
    await client.get('/ingestions');
    const { value } = await scrape(service.url);
    assert.equal(value('sluice_database_pool_max_connections', { pool: 'requests' }), 8);
    assert.ok(Number(value('sluice_database_pool_connections', { pool: 'requests', state: 'idle' })) >= 1);
    assert.equal(value('sluice_database_pool_waiting_requests', { pool: 'reads' }), 0);
  });

  it('reports the version and free disk space', async () => {
    const { value } = await scrape(service.url);
    const { version } = createRequire(import.meta.url)('../../../package.json');
    assert.equal(value('sluice_build_info', { version, node: process.versions.node }), 1);
    for (const volume of ['blob_store', 'database']) {
      const free = Number(value('sluice_disk_free_bytes', { volume }));
      assert.ok(free > 0 && free < Number(value('sluice_disk_size_bytes', { volume })), volume);
    }
  });

  it('counts blob store operations, and faults by reason', async () => {
    const before = await scrape(service.url);
    const added = async (name: string, labels: Record<string, string>) =>
      Number((await scrape(service.url)).value(name, labels) ?? 0) - Number(before.value(name, labels) ?? 0);
    const operations = 'sluice_blob_store_operation_duration_seconds_count';
    const fault = ['sluice_blob_store_faults_total', { operation: 'write', reason: 'unavailable' }] as const;
    await client.ingest([record()]);
    assert.equal(await added(operations, { operation: 'write' }), 1);
    await until(async () => (await added(operations, { operation: 'read' })) >= 1);
    assert.equal(await added(...fault), 0);

    const mark = path.join(service.dataDir, 'blobs/sluice-blob-store');
    await rename(mark, `${mark}.away`);
    assert.equal((await client.upload([record()])).status, 503);
    await rename(`${mark}.away`, mark);
    assert.equal(await added(operations, { operation: 'write' }), 2);
    assert.equal(await added(...fault), 1);
  });

  it('reports the database as up when only the queue query is slow', async () => {
    const holder = await service.connect();
    await holder.query('begin; lock table frame_queue in access exclusive mode');
    const { value } = await scrape(service.url);
    await holder.end();
    assert.equal(value('sluice_database_up'), 1);
    assert.equal(value('sluice_queue_frames'), undefined);
  });

  it('exports all metrics except queue metrics while the database is unavailable', async () => {
    assert.equal((await scrape(service.url)).value('sluice_database_up'), 1);
    await endPostmaster(service.dataDir);
    const { value } = await scrape(service.url);
    assert.equal(value('sluice_database_up'), 0);
    assert.equal(value('sluice_queue_frames'), undefined);
    assert.ok(Number(value(REQUESTS)) > 0);
  });
});
