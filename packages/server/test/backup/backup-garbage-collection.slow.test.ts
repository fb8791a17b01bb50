import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { uploadNew } from '../support/backups.ts';
import { createClient } from '../support/client.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';
import { createSandbox } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

describe('sluice backup with blobs in S3', () => {
  const sandbox = createSandbox();
  let s3: S3Server;
  before(async () => {
    s3 = await startS3Server();
  });
  after(async () => {
    await sandbox.clear();
    await s3.stop();
  });

  it('blocks garbage collection while blobs are copied, and no longer after a signal ends the backup', async () => {
    const other = await sandbox.startService({
      ...s3.environment,
      SLUICE_BLOB_STORE: 's3://sluice-frames/gc',
    });
    const ingested = await uploadNew(createClient(other.url, other.key), 3);
    await createClient(other.url, other.key).ended(ingested.id);
    let isAsked = false;
    s3.proxy.rule = ({ operation, path: name }) => {
      // Its mark is read before: the first blob never comes.
      if (operation !== 'get' || !name.includes(ingested.id)) return undefined;
      isAsked = true;
      return { type: 'silence' };
    };
    const dead = path.join(await sandbox.newDataDir(), 'dead');
    const env = { ...s3.environment, SLUICE_BLOB_STORE: 's3://sluice-frames/gc' };
    const running = sandbox.startSluice(other.dataDir, ['backup', dead], env);
    await until(async () => isAsked);
    const gc = await sandbox.sluice(other.dataDir, ['gc'], env);
    assert.equal(gc.code, 1);
    assert.match(gc.stderr, /^sluice: garbage collection is already running, or a backup/);
    running.signal('SIGTERM');
    s3.proxy.rule = () => undefined;
    const { code, stderr } = await running.ended;
    assert.deepEqual(
      [code, stderr],
      [1, 'sluice: the backup was interrupted; everything that it wrote was removed\n'],
    );
    await assert.rejects(stat(dead), { code: 'ENOENT' });
    const { code: after } = await sandbox.sluice(other.dataDir, ['gc'], env);
    assert.equal(after, 0);
  });
});
