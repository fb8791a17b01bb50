import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  type Acknowledged,
  type BackupSummary,
  faultsOf,
  readManifestFile,
  uploadNew,
} from '../support/backups.ts';
import { type Client, createClient } from '../support/client.ts';
import { isWholeRun } from '../support/is-whole-run.ts';
import { endPostmaster } from '../support/postmaster.ts';
import { createEmptyDatabase, dropDatabase } from '../support/run-cluster.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';
import { createSandbox } from '../support/sandbox.ts';
import type { Environment } from '../support/service.ts';
import { until } from '../support/until.ts';

const UPLOADERS = 4;

/** Runs concurrent uploads until `stop` is called. */
function startUploads(client: Client) {
  const acknowledged: Acknowledged[] = [];
  let isOver = false;
  const uploaders = Array.from({ length: UPLOADERS }, async (_, at) => {
    while (!isOver) acknowledged.push(await uploadNew(client, 1 + at * 200));
  });
  return {
    acknowledged,
    stop: async () => {
      isOver = true;
      await Promise.all(uploaders);
    },
  };
}

describe('restoring a backup made during ingestion', () => {
  const sandbox = createSandbox();
  let s3: S3Server;
  before(async () => {
    s3 = await startS3Server();
  });
  after(async () => {
    await sandbox.clear();
    await s3.stop();
  });

  /** Uploads, backs up, kills the service and deletes its data. Resolves with the uploads accepted before the backup. */
  const backUpAndDelete = async (
    database: 'embedded' | 'external',
    environment: Environment,
    folder: string,
  ): Promise<{ before: readonly Acknowledged[]; key: string; summary: BackupSummary }> => {
    const start = database === 'embedded' ? sandbox.startEmbeddedService : sandbox.startService;
    const service = await start({ ...environment, SLUICE_WORKERS: '1', SLUICE_UPLOADS_AT_ONCE: '8' });
    const client = createClient(service.url, service.key);
    const ended = [await uploadNew(client, 20), await uploadNew(client, 5001)];
    for (const { id } of ended) await client.ended(id);
    // From here on, jobs are accepted but not completed, because the lock prevents workers from writing findings.
    const holder = await service.connect();
    // The connection breaks when the server is killed.
    holder.on('error', () => undefined);
    await holder.query('begin; lock table findings in share mode');
    const uploads = startUploads(client);
    await until(async () => uploads.acknowledged.length >= 12);
    const accepted = [...ended, ...uploads.acknowledged];
    const { code, stdout, stderr } = await sandbox.sluice(
      service.dataDir,
      ['backup', folder, '--json'],
      environment,
    );
    assert.deepEqual([code, stderr], [0, '']);
    const uploadedDuringBackup = uploads.acknowledged.length + ended.length - accepted.length;
    assert.ok(uploadedDuringBackup > 0, 'no upload was accepted during the backup');
    await uploads.stop();
    await service.end('SIGKILL');
    await endPostmaster(service.dataDir);
    if (database === 'external') await dropDatabase(service.databaseUrl);
    await rm(service.dataDir, { recursive: true });
    return { before: accepted, key: service.key, summary: JSON.parse(stdout) };
  };

  /** Restores into a new data directory, starts the service and checks every upload. */
  const restoreAndCompare = async (
    environment: Environment,
    folder: string,
    { before: accepted, key, summary }: Awaited<ReturnType<typeof backUpAndDelete>>,
  ) => {
    const dataDir = await sandbox.newDataDir();
    const restored = await sandbox.sluice(dataDir, ['restore', folder, '--json'], environment);
    assert.deepEqual([restored.code, restored.stderr], [0, '']);
    assert.deepEqual(JSON.parse(restored.stdout), summary);
    assert.equal(summary.missing_blobs, 0);
    assert.ok(summary.blobs >= accepted.length);
    const queue = (await readManifestFile(folder)).tables.find(({ name }) => name === 'frame_queue');
    assert.ok((queue?.rows ?? 0) >= 12, 'the backup contains too few jobs in progress');

    const start =
      environment.DATABASE_URL === undefined ? sandbox.startEmbeddedService : sandbox.startService;
    const service = await start(environment, dataDir);
    const client = createClient(service.url, key);
    const faults: string[] = [];
    for (const upload of accepted) faults.push(...(await faultsOf(client, upload)));
    assert.deepEqual(faults, []);
    // The restored service accepts new uploads and recognizes the restored blob store.
    assert.deepEqual(await faultsOf(client, await uploadNew(client, 3)), []);
    const { code } = await sandbox.sluice(dataDir, ['gc', '--json'], environment);
    assert.equal(code, 0);
    await service.end();
  };

  // The slow lane runs only the test below.
  if (isWholeRun)
    it('restores every acknowledged upload from the embedded database and a blob folder', async () => {
      const folder = path.join(await sandbox.newDataDir(), 'backup');
      const accepted = await backUpAndDelete('embedded', {}, folder);
      await restoreAndCompare({}, folder, accepted);
    });

  it('restores every acknowledged upload from an external database and S3, and does not change the original blobs', async () => {
    const folder = path.join(await sandbox.newDataDir(), 'backup');
    const accepted = await backUpAndDelete('external', s3.environment, folder);
    const original = await s3.objects();
    const DATABASE_URL = await createEmptyDatabase();
    const elsewhere = { ...s3.environment, DATABASE_URL, SLUICE_BLOB_STORE: 's3://sluice-frames/else/where' };

    const into = { ...s3.environment, DATABASE_URL };
    const rejected = await sandbox.sluice(await sandbox.newDataDir(), ['restore', folder], into);
    assert.equal(rejected.code, 1);
    assert.match(
      rejected.stderr,
      /^sluice: the blob store is not empty: it contains \S+; set SLUICE_BLOB_STORE/,
    );

    await restoreAndCompare(elsewhere, folder, accepted);
    assert.deepEqual(
      (await s3.objects()).filter((key) => key.startsWith('some/')),
      original,
    );
    const bound = await sandbox.sluice(await sandbox.newDataDir(), ['serve'], into);
    assert.equal(bound.code, 1);
    assert.match(bound.stderr, /the blob store contains the uploads of another database/);
    await dropDatabase(DATABASE_URL);
  });
});
