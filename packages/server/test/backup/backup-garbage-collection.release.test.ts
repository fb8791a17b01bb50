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

  it('blocks garbage collection until a signal interrupts the backup', async () => {
    const other = await sandbox.startService({
      ...s3.environment,
      SLUICE_BLOB_STORE: 's3://sluice-frames/gc',
    });
    const ingested = await uploadNew(createClient(other.url, other.key), 3);
    await createClient(other.url, other.key).ended(ingested.id);
    let isRequested = false;
    s3.proxy.rule = ({ operation, path: name }) => {
      // The marker is read first. The request for the first blob gets no response.
      if (operation !== 'get' || !name.includes(ingested.id)) return undefined;
      isRequested = true;
      return { type: 'silence' };
    };
    const folder = path.join(await sandbox.newDataDir(), 'backup');
    const env = { ...s3.environment, SLUICE_BLOB_STORE: 's3://sluice-frames/gc' };
    const running = sandbox.startSluice(other.dataDir, ['backup', folder], env);
    await until(async () => isRequested);
    const gc = await sandbox.sluice(other.dataDir, ['gc'], env);
    assert.equal(gc.code, 1);
    assert.match(gc.stderr, /^sluice: another garbage collection or a backup is running; try again later/);
    running.signal('SIGTERM');
    s3.proxy.rule = () => undefined;
    const { code, stderr } = await running.ended;
    assert.deepEqual(
      [code, stderr],
      [1, 'sluice: the backup was interrupted; everything it wrote has been removed\n'],
    );
    await assert.rejects(stat(folder), { code: 'ENOENT' });
    const { code: after } = await sandbox.sluice(other.dataDir, ['gc'], env);
    assert.equal(after, 0);
  });
});
