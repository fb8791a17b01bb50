import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { ageJob } from '../support/aged-data.ts';
import { createClient } from '../support/client.ts';
import { scrape } from '../support/prometheus.ts';
import { record } from '../support/records.ts';
import { createSandbox } from '../support/sandbox.ts';
import type { Service } from '../support/service.ts';
import { until } from '../support/until.ts';

describe('scheduled garbage collection', () => {
  const sandbox = createSandbox();
  after(() => sandbox.clear());

  /** Long enough to observe an unwanted run, which would start with the process. */
  const ROUND_MS = 1500;

  it('runs garbage collection once per interval across several processes, logs each run, and shuts down immediately', async () => {
    const settings = { SLUICE_GC_INTERVAL_MINUTES: '0', SLUICE_WORKERS: '1' };
    const first = await sandbox.startService(settings);
    const createUnreferencedJob = async (service: Service) => {
      const client = createClient(service.url, first.key);
      const members = { finding_info: { uid: randomUUID() } };
      const { id } = await client.ingest([record(members)]);
      await client.ingest([record({ ...members, time: 1_780_000_100 })]);
      await ageJob(service, id, 31);
      return id;
    };
    const id = await createUnreferencedJob(first);
    await first.sql(`update blob_store set garbage_collected_at = now() - interval '61 minutes'`);
    await first.end();
    const host = await sandbox.startService(settings, first.dataDir);
    const client = createClient(host.url, first.key);
    const fileStatus = async (job: string) => (await client.get(`/ingestions/${job}/file`)).status;
    await sleep(ROUND_MS);
    assert.equal(await fileStatus(id), 200, '0 means never');

    const shared = {
      DATABASE_URL: host.databaseUrl,
      SLUICE_BLOB_STORE: pathToFileURL(path.join(host.dataDir, 'blobs')).href,
      SLUICE_WORKERS: '1',
      LOG_LEVEL: 'info',
      SLUICE_OPERATIONS_PORT: '0',
    };
    const startWorker = async () =>
      sandbox.startSluice(await sandbox.newDataDir(), ['serve', '--role', 'worker'], shared);
    const workers = await Promise.all(Array.from({ length: 3 }, startWorker));
    await until(async () => (await fileStatus(id)) === 410);
    const lines = () =>
      workers.flatMap(({ output }) => output.stderr.split('\n').filter((line) => /"collected"/.test(line)));
    await until(async () => lines().length > 0);
    await Promise.all(workers.map(({ printed }) => printed(/Sluice is ready/)));
    const [line = '{}', ...others] = lines();
    assert.deepEqual([JSON.parse(line).level, JSON.parse(line).collected.files.count], ['info', 1]);
    assert.deepEqual(others, []);
    const scraped = await Promise.all(
      workers.map(({ output }) =>
        scrape(/Metrics and health checks are at (\S+)/.exec(output.stdout)?.[1] ?? ''),
      ),
    );
    const sum = (name: string, labels = {}) =>
      scraped.reduce((total, { value }) => total + (value(name, labels) ?? 0), 0);
    assert.equal(sum('sluice_retention_rounds_total', { result: 'completed' }), 1);
    assert.equal(sum('sluice_retention_rounds_total', { result: 'failed' }), 0);
    assert.equal(sum('sluice_retention_removed_total', { type: 'files' }), 1);
    assert.ok(sum('sluice_retention_removed_bytes_total', { type: 'files' }) > 0);
    assert.ok(Math.abs(sum('sluice_retention_last_success_timestamp_seconds') - Date.now() / 1000) < 60);
    const [row] = await host.sql<{ ago: number }>(
      'select extract(epoch from now() - garbage_collected_at)::float8 as ago from blob_store',
    );
    assert.ok((row?.ago ?? 1e9) < 60);

    const newerJob = await createUnreferencedJob(host);
    const lateWorker = await startWorker();
    workers.push(lateWorker);
    await lateWorker.printed(/Sluice is ready/);
    await sleep(ROUND_MS);
    assert.equal(await fileStatus(newerJob), 200, 'garbage collection ran before the interval had passed');

    const started = performance.now();
    for (const worker of workers) worker.signal('SIGTERM');
    for (const worker of workers) assert.equal(await worker.exited, 0);
    assert.ok(performance.now() - started < 5000);
  });
});
