import assert from 'node:assert/strict';
import { chmod, readdir, rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { BLOB_STORE_MARKER } from '../../src/blobs/blob-store.ts';
import { type Client, createClient } from '../support/client.ts';
import { holdPending } from '../support/held-jobs.ts';
import { endPostmaster } from '../support/postmaster.ts';
import { record } from '../support/records.ts';
import { assertTemporary, type TemporaryError } from '../support/refusal.ts';
import { createSandbox } from '../support/sandbox.ts';
import type { Service } from '../support/service.ts';
import { mountSmallFileSystem } from '../support/small-file-system.ts';
import { until } from '../support/until.ts';

const FULL: TemporaryError = [507, 'insufficient_storage', '60'];

/** Records that take several MiB even when compressed. */
function incompressible() {
  const noise = () => Array.from({ length: 60_000 }, () => Math.random().toString(36)).join('');
  return Array.from({ length: 8 }, (_, at) =>
    record({ finding_info: { uid: `large-${at}` }, message: noise() }),
  );
}

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
    assertTemporary(await client.upload(incompressible()), FULL);
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
    assertTemporary(await client.upload(incompressible()), FULL);
    assert.equal((await client.get(`/ingestions/${id}`)).body.data.attributes.status, 'processing');
    await rm(filler);
    const job = await client.ended(id);
    assert.deepEqual(
      [job.attributes.status, job.attributes.summary],
      ['completed', { total: 5000, processed: 5000, invalid: 0 }],
    );
  });
});
