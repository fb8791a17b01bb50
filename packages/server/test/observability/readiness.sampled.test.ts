import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../support/client.ts';
import { SESSIONS } from '../support/database-activity.ts';
import { claimedFrames } from '../support/deployment.ts';
import { holdProcessing } from '../support/held-jobs.ts';
import { itInWholeRun } from '../support/is-whole-run.ts';
import { freePort } from '../support/own-postgresql.ts';
import { postmasterOf } from '../support/postmaster.ts';
import { scrape } from '../support/prometheus.ts';
import { record } from '../support/records.ts';
import { createSandbox } from '../support/sandbox.ts';
import type { Service } from '../support/service.ts';
import { until } from '../support/until.ts';

/** Maximum time that a probe waits, with a margin for slow machines. */
const PROBE_MS = 2500;
/** Longer than the cache lifetime of a database check result. */
const FORGOTTEN_MS = 700;

describe('process readiness', () => {
  const sandbox = createSandbox();
  let service: Service;
  let operations: string;
  before(async () => {
    service = await sandbox.startEmbeddedService({
      LOG_LEVEL: 'silent',
      SLUICE_WORKERS: '2',
      SLUICE_OPERATIONS_PORT: '0',
    });
    operations = /Metrics and health checks are at (\S+)/.exec(service.output.stdout)?.[1] ?? assert.fail();
  });
  after(() => sandbox.clear());

  const ready = async (url = service.url): Promise<{ status: number; body: unknown; ms: number }> => {
    const from = performance.now();
    const response = await fetch(`${url}/health/ready`);
    return { status: response.status, body: await response.json(), ms: performance.now() - from };
  };
  const isReady = () => until(async () => (await ready()).status === 200);
  /** Waits for a 503 response, because the previous result may still be cached. */
  const isNotReady = () => until(async () => (await ready()).status === 503);
  const assertNotReady = async (reasons: Readonly<Record<string, string>>) => {
    await isNotReady();
    const { status, body } = await ready();
    assert.deepEqual({ status, body }, { status: 503, body: { status: 'fail', reasons } });
  };
  const databaseName = async () => {
    const [database] = await service.sql<{ name: string }>('select current_database() as name');
    return database?.name ?? assert.fail();
  };

  it('passes the readiness check on both ports once the worker threads are connected', async () => {
    await isReady();
    for (const url of [service.url, operations]) {
      const { status, body } = await ready(url);
      assert.deepEqual({ status, body }, { status: 200, body: { status: 'pass' } });
    }
  });

  it('fails the readiness check while the blob store directory is missing, and does not create the directory', async () => {
    const blobs = path.join(service.dataDir, 'blobs');
    await rename(blobs, `${blobs}-away`);
    await assertNotReady({ blob_store: 'the blob store cannot be used' });
    await rename(`${blobs}-away`, blobs);
    const from = performance.now();
    await isReady();
    assert.ok(performance.now() - from < PROBE_MS, 'the failure was cached for too long');
  });

  it('fails the readiness check if the database schema is older than the code', async () => {
    await service.sql(`update schema_migrations set name = 'x' || name where name = '0010-operations.sql'`);
    await assertNotReady({
      database: 'the database schema is out of date: it lacks 0010-operations.sql',
    });
    await service.sql(`update schema_migrations set name = substr(name, 2) where name like 'x%'`);
    await isReady();
  });

  itInWholeRun('fails the readiness check while the workers have no database connections', async () => {
    // Workers need temporary tables, but requests and probes do not.
    const name = await databaseName();
    await service.sql(`revoke temporary on database ${name} from public`);
    await service.sql(
      `select pg_terminate_backend(pid) from ${SESSIONS} where application_name = 'sluice worker'`,
    );
    // The threads detect the outage one after the other.
    const workers = '2 of 2 worker threads have exited or cannot connect to the database';
    await until(async () => JSON.stringify((await ready()).body).includes('"2 of 2 '));
    await assertNotReady({ workers });
    await service.sql(`grant temporary on database ${name} to public`);
    await isReady();
  });

  itInWholeRun('responds to a readiness probe in time while the database hangs', async () => {
    const pid = (await postmasterOf(service.dataDir)) ?? assert.fail();
    process.kill(pid, 'SIGSTOP');
    try {
      await isNotReady();
      await sleep(FORGOTTEN_MS);
      const { status, body, ms } = await ready();
      assert.equal(status, 503);
      assert.match(JSON.stringify(body), /"database":"(the database cannot be reached|the check timed out)"/);
      assert.ok(ms < PROBE_MS, `${ms} ms`);
      const from = performance.now();
      assert.equal((await scrape(operations)).value('sluice_database_up'), 0);
      assert.ok(performance.now() - from < PROBE_MS, 'the scrape took too long');
      assert.equal((await fetch(`${service.url}/health/live`)).status, 200);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await isReady();
  });

  itInWholeRun('uses a single database connection for concurrent readiness probes', async () => {
    const holder = await service.connect();
    await holder.query('begin; lock table schema_migrations in access exclusive mode');
    await sleep(FORGOTTEN_MS);
    let hasResponse = false;
    const probes = Promise.all(Array.from({ length: 30 }, () => ready())).finally(() => {
      hasResponse = true;
    });
    let most = 0;
    while (!hasResponse) {
      const sessions = await service.sql(
        `select from ${SESSIONS} where application_name = 'sluice operations'`,
      );
      most = Math.max(most, sessions.length);
    }
    await holder.end();
    assert.deepEqual(new Set((await probes).map(({ status }) => status)), new Set([503]));
    assert.equal(most, 1);
    await isReady();
  });

  it('fails the readiness check on the operations port during shutdown', async () => {
    const release = await holdProcessing(service);
    await createClient(service.url, service.key).upload([record()]);
    await until(async () => (await claimedFrames(service)) > 0);
    const ended = service.end('SIGTERM');
    await until(async () => (await ready(operations)).status === 503);
    const { body } = await ready(operations);
    assert.deepEqual(body, { status: 'fail', reasons: { process: 'the server is shutting down' } });
    assert.equal((await fetch(`${operations}/health/live`)).status, 200);
    assert.ok((await scrape(operations)).samples.length > 0);
    await release();
    assert.equal(await ended, 0);
  });

  itInWholeRun('fails the readiness check until startup is complete', async () => {
    const again = await sandbox.startEmbeddedService({}, service.dataDir);
    // Startup waits for the worker threads, which cannot connect yet.
    const name = await databaseName();
    await again.sql(`revoke temporary on database ${name} from public`);
    await again.end('SIGKILL');
    const port = await freePort();
    const started = sandbox.startSluice(service.dataDir, ['serve'], {
      SLUICE_WORKERS: '1',
      SLUICE_OPERATIONS_PORT: String(port),
    });
    const url = `http://127.0.0.1:${port}`;
    const isThere = () =>
      fetch(url).then(
        () => true,
        () => false,
      );
    await until(isThere);
    const { status, body } = await ready(url);
    const reasons = { process: 'the server is starting' };
    assert.deepEqual({ status, body }, { status: 503, body: { status: 'fail', reasons } });
    assert.equal((await fetch(`${url}/health/live`)).status, 200);
    await again.sql(`grant temporary on database ${name} to public`);
    await started.printed(/Sluice is ready/);
    await until(async () => (await ready(url)).status === 200);
  });
});
