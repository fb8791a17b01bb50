import assert from 'node:assert/strict';
import { chmod, readdir, rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { BLOB_STORE_MARKER } from '../../src/blob-store/blob-store.ts';
import { type Answer, type Client, createClient } from '../support/client.ts';
import { LOCKS } from '../support/database-activity.ts';
import { holdPending, type Release } from '../support/held-jobs.ts';
import { endPostmaster } from '../support/postmaster.ts';
import { record } from '../support/records.ts';
import { startPostgresAgain } from '../support/restart-postgres.ts';
import { createSandbox } from '../support/sandbox.ts';
import type { Service } from '../support/service.ts';
import { mountSmallFileSystem } from '../support/small-file-system.ts';
import { until } from '../support/until.ts';

/** The whole of what a client learns: it may come again, and when. */
function assertRefused({ status, headers, body }: Answer<unknown>, expected: [number, string, string]): void {
  const [error] = body.errors;
  assert.deepEqual([status, error?.code, headers.get('retry-after')], expected);
  assert.equal(error?.id, headers.get('x-request-id'));
}

/** Records that take several MiB also in a blob. */
function incompressible() {
  const noise = () => Array.from({ length: 60_000 }, () => Math.random().toString(36)).join('');
  return Array.from({ length: 8 }, (_, at) =>
    record({ finding_info: { uid: `large-${at}` }, message: noise() }),
  );
}

describe('a database that is away', () => {
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

  const away: [number, string, string] = [503, 'database_unavailable', '5'];

  it('is answered with a 503 where it went away under the request', async () => {
    const holder = await service.connect();
    // Its connection goes with the server.
    const lost = new Promise((resolve) => holder.on('error', resolve));
    await holder.query('begin; lock table providers');
    const answer = client.get('/providers');
    await until(async () => (await service.sql(`select from ${LOCKS} where not granted`)).length > 0);
    await endPostmaster(service.dataDir);
    assertRefused(await answer, away);
    assert.ok((await lost) instanceof Error);
  });

  it('is answered with a 503 that says when to come again, for reads and for uploads', async () => {
    for (const list of ['/findings', '/findings/summary', '/ingestions', '/providers'])
      assertRefused(await client.get(list), away);
    assertRefused(await client.upload([record()]), away);
  });

  it('is one line without a stack in the log for each such request', async () => {
    const lines = await until(async () => {
      const found = service.output.stderr.split('\n').filter((line) => line.includes('database_unavailable'));
      return found.length >= 6 && found;
    });
    assert.equal(lines.length, 6);
    for (const line of lines) {
      assert.match(
        line,
        /"level":"warn".*"reason":"the database cannot be reached: .+".*"msg":"the request was refused"/,
      );
      assert.doesNotMatch(line, /"stack"/);
    }
    assert.doesNotMatch(service.output.stderr, /the request failed/);
  });

  it('makes the service live, but not ready', async () => {
    const health = async (which: string) => (await fetch(`${service.url}/health/${which}`)).status;
    assert.deepEqual([await health('live'), await health('ready')], [200, 503]);
    const told = () => service.output.stderr.split('"msg":"not ready"').length - 1;
    const once = await until(async () => told() || undefined);
    for (let probe = 0; probe < 3; probe++) {
      // What a check has found is kept for half a second.
      await sleep(600);
      assert.equal(await health('ready'), 503);
    }
    assert.equal(told(), once);
  });

  it('is used again when it is back, also by the workers, and what was accepted before is done', async () => {
    await startPostgresAgain(service);
    const { body: kept } = await until(async () => {
      const answer = await client.get(`/ingestions/${accepted}`);
      return answer.status === 200 && answer;
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

describe('a disk that is full', { skip: 'reason' in disk && disk.reason }, () => {
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

  it('is answered with a 507, nothing of the upload is left, and a smaller one is taken', async () => {
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

describe('a database whose disk is full', { skip: 'reason' in databaseDisk && databaseDisk.reason }, () => {
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
      // The sandbox looks after no folder that it has not made.
      await endPostmaster(dataDir);
    } finally {
      await databaseDisk.remove();
    }
  });

  it('lets the workers wait, refuses what needs room with a 507, and loses nothing', async () => {
    const findings = Array.from({ length: 5000 }, (_, at) => record({ finding_info: { uid: `kept-${at}` } }));
    const release = await holdPending(service);
    const { id } = (await client.upload(findings)).body.data;
    const filler = path.join(folder, 'filler');
    const { bavail, bsize } = await statfs(folder);
    // PostgreSQL has room to go on writing its log, which it has made in advance, but none for rows.
    await writeFile(filler, Buffer.alloc((Number(bavail) - 40) * Number(bsize)));
    await release();
    await until(async () =>
      service.output.stderr.includes('the disk of the database is full; the worker backs off'),
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
