import assert from 'node:assert/strict';
import { chmod, readdir, rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { BLOB_STORE_MARKER } from '../../src/blobs/blob-store.ts';
import { type ApiResponse, type Client, createClient } from '../support/client.ts';
import { LOCKS } from '../support/database-activity.ts';
import { holdPending, type Release } from '../support/held-jobs.ts';
import { endPostmaster } from '../support/postmaster.ts';
import { record } from '../support/records.ts';
import { startPostgresAgain } from '../support/restart-postgres.ts';
import { createSandbox } from '../support/sandbox.ts';
import type { Service } from '../support/service.ts';
import { mountSmallFileSystem } from '../support/small-file-system.ts';
import { until } from '../support/until.ts';

/** Asserts the status, the error code and Retry-After. */
function assertRefused(
  { status, headers, body }: ApiResponse<unknown>,
  expected: [number, string, string],
): void {
  const [error] = body.errors;
  assert.deepEqual([status, error?.code, headers.get('retry-after')], expected);
  assert.equal(error?.id, headers.get('x-request-id'));
}

/** Records that take several MiB even when compressed. */
function incompressible() {
  const noise = () => Array.from({ length: 60_000 }, () => Math.random().toString(36)).join('');
  return Array.from({ length: 8 }, (_, at) =>
    record({ finding_info: { uid: `large-${at}` }, message: noise() }),
  );
}

describe('an unavailable database', () => {
  const sandbox = createSandbox();
  let service: Service;
  let client: Client;
  let release: Release;
  let accepted: string;
  before(async () => {
    service = await sandbox.startEmbeddedService({ LOG_LEVEL: 'warn' });
    client = createClient(service.url, service.key);
    await client.ingest([record()]);
    release = await holdPending(service);
    const { status, body } = await client.upload([record({ finding_info: { uid: 'accepted' } })]);
    assert.equal(status, 202);
    accepted = body.data.id;
  });
  after(() => sandbox.clear());

  const unavailable: [number, string, string] = [503, 'database_unavailable', '5'];

  it('responds with 503 to a request if the database stops during the request', async () => {
    const holder = await service.connect();
    // The connection breaks when the server stops.
    const disconnected = new Promise((resolve) => holder.on('error', resolve));
    await holder.query('begin; lock table providers');
    const response = client.get('/providers');
    await until(async () => (await service.sql(`select from ${LOCKS} where not granted`)).length > 0);
    await endPostmaster(service.dataDir);
    assertRefused(await response, unavailable);
    assert.ok((await disconnected) instanceof Error);
  });

  it('responds with 503 and Retry-After to reads and uploads while the database is unavailable', async () => {
    for (const list of ['/findings', '/findings/summary', '/ingestions', '/providers'])
      assertRefused(await client.get(list), unavailable);
    assertRefused(await client.upload([record()]), unavailable);
  });

  it('logs one line per request, without a stack trace, while the database is unavailable', async () => {
    const lines = await until(async () => {
      const logged = service.output.stderr
        .split('\n')
        .filter((line) => line.includes('database_unavailable'));
      return logged.length >= 6 && logged;
    });
    assert.equal(lines.length, 6);
    for (const line of lines) {
      assert.match(
        line,
        /"level":"warn".*"reason":"the database cannot be reached: .+".*"msg":"the request was rejected"/,
      );
      assert.doesNotMatch(line, /"stack"/);
    }
    assert.doesNotMatch(service.output.stderr, /the request failed/);
  });

  it('is live but not ready while the database is unavailable, and logs each reason once', async () => {
    const health = async (which: string) => (await fetch(`${service.url}/health/${which}`)).status;
    assert.deepEqual([await health('live'), await health('ready')], [200, 503]);
    for (let probe = 0; probe < 4; probe++) {
      // Health check results are cached for half a second.
      await sleep(600);
      assert.equal(await health('ready'), 503);
    }
    const logged = service.output.stderr.split('\n').filter((line) => line.includes('"msg":"not ready"'));
    // On a busy machine, the first check may time out.
    const reasons = logged.map((line) => {
      const { check, err } = JSON.parse(line);
      return `${check}: ${err.message}`;
    });
    assert.ok(reasons.some((reason) => reason.startsWith('database: ')));
    assert.deepEqual(reasons, [...new Set(reasons)]);
  });

  it('reconnects once the database is available again, and completes jobs accepted before the outage', async () => {
    await startPostgresAgain(service);
    const { body: kept } = await until(async () => {
      const response = await client.get(`/ingestions/${accepted}`);
      return response.status === 200 && response;
    });
    assert.equal(kept.data.attributes.status, 'pending');
    await release();
    const { attributes } = await client.ended(accepted);
    assert.deepEqual(
      [attributes.status, attributes.summary],
      ['completed', { total: 1, processed: 1, invalid: 0 }],
    );
    const job = await client.ingest([record({ finding_info: { uid: 'after' } })]);
    assert.equal(job.attributes.status, 'completed');
    const { body } = await client.get<unknown[]>('/findings');
    assert.equal(body.data.length, 3);
  });
});

const disk = await mountSmallFileSystem('2m');

describe('a full blob store disk', { skip: 'reason' in disk && disk.reason }, () => {
  assert.ok('folder' in disk);
  const blobs = path.join(disk.folder, 'blobs');
  const sandbox = createSandbox();
  let client: Client;
  before(async () => {
    const service = await sandbox.startEmbeddedService({
      LOG_LEVEL: 'silent',
      SLUICE_BLOB_STORE: pathToFileURL(blobs).href,
    });
    client = createClient(service.url, service.key);
  });
  after(async () => {
    try {
      await sandbox.clear();
    } finally {
      await disk.remove();
    }
  });

  it('responds with 507 to an upload that does not fit on the disk, stores nothing and accepts a smaller upload', async () => {
    assertRefused(await client.upload(incompressible()), [507, 'insufficient_storage', '60']);
    const files = await readdir(blobs, { recursive: true, withFileTypes: true });
    assert.deepEqual(
      files.filter((entry) => entry.isFile()).map(({ name }) => name),
      [BLOB_STORE_MARKER],
    );
    const { body } = await client.get<unknown[]>('/ingestions');
    assert.deepEqual(body.data, []);
    const job = await client.ingest([record()]);
    assert.equal(job.attributes.status, 'completed');
  });
});

const databaseDisk = await mountSmallFileSystem('180m');

describe('a full database disk', { skip: 'reason' in databaseDisk && databaseDisk.reason }, () => {
  assert.ok('folder' in databaseDisk);
  const { folder } = databaseDisk;
  const dataDir = path.join(folder, 'data');
  const sandbox = createSandbox();
  let service: Service;
  let client: Client;
  before(async () => {
    await chmod(folder, 0o755);
    service = await sandbox.startEmbeddedService({ SLUICE_WORKERS: '1' }, dataDir);
    client = createClient(service.url, service.key);
  });
  after(async () => {
    try {
      await sandbox.clear();
      // The sandbox cleans up only the folders that it created.
      await endPostmaster(dataDir);
    } finally {
      await databaseDisk.remove();
    }
  });

  it('pauses the workers, responds with 507 to uploads and loses no data while the database disk is full', async () => {
    const findings = Array.from({ length: 5000 }, (_, at) => record({ finding_info: { uid: `kept-${at}` } }));
    const release = await holdPending(service);
    const { id } = (await client.upload(findings)).body.data;
    const filler = path.join(folder, 'filler');
    const { bavail, bsize } = await statfs(folder);
    // PostgreSQL can still write to its preallocated WAL, but has no space for rows.
    await writeFile(filler, Buffer.alloc((Number(bavail) - 40) * Number(bsize)));
    await release();
    await until(async () =>
      service.output.stderr.includes('the database disk is full; the worker backs off'),
    );
    assertRefused(await client.upload(incompressible()), [507, 'insufficient_storage', '60']);
    assert.equal((await client.get(`/ingestions/${id}`)).body.data.attributes.status, 'processing');
    await rm(filler);
    const job = await client.ended(id);
    assert.deepEqual(
      [job.attributes.status, job.attributes.summary],
      ['completed', { total: 5000, processed: 5000, invalid: 0 }],
    );
  });
});
