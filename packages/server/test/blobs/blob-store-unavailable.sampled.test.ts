import assert from 'node:assert/strict';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Client, createClient } from '../support/client.ts';
import { holdPending } from '../support/held-jobs.ts';
import { isWholeRun, itInWholeRun } from '../support/is-whole-run.ts';
import { mountFolder } from '../support/mounted-folder.ts';
import { record } from '../support/records.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';
import { createSandbox } from '../support/sandbox.ts';
import type { Service } from '../support/service.ts';
import { until } from '../support/until.ts';

const file = [record({ finding_info: { uid: 'kept' } })];

/** Tests a blob store outage. `disconnect` makes the blob store unavailable to the running service. */
function testOutage(given: {
  readonly name: string;
  readonly environment: () => Promise<Record<string, string>>;
  readonly disconnect: () => Promise<void>;
  readonly reconnect: () => Promise<void>;
  readonly remove: () => Promise<void>;
}): void {
  const sandbox = createSandbox();
  let service: Service;
  let client: Client;
  before(async () => {
    service = await sandbox.startService({ ...(await given.environment()), SLUICE_WORKERS: '1' });
    client = createClient(service.url, service.key);
  });
  after(async () => {
    try {
      await sandbox.clear();
    } finally {
      await given.remove();
    }
  });
  const assertUnavailable = async (
    response: Promise<{ status: number; headers: Headers; body: unknown }>,
  ) => {
    const { status, headers, body } = await response;
    assert.deepEqual([status, headers.get('retry-after')], [503, '5'], JSON.stringify(body));
    assert.ok(JSON.stringify(body).includes('"blob_store_unavailable"'));
  };
  const waits = () =>
    service.output.stderr.match(/the blob store is unavailable; the worker backs off/g)?.length ?? 0;
  const attempts = () => service.sql('select failures, interruptions from frames order by 1, 2');

  it(`responds with 503, pauses the workers and loses no accepted upload while ${given.name} is unavailable`, async () => {
    const { id: done } = await client.ingest([record({ finding_info: { uid: 'before' } })]);
    const release = await holdPending(service);
    const waiting = (await client.upload(file)).body.data.id;
    await given.disconnect();
    await release();
    await until(async () => waits() >= 1);
    await assertUnavailable(client.upload(file));
    await assertUnavailable(client.get(`/ingestions/${done}/file`));
    const [finding] = (await client.get<{ id: string }[]>('/findings')).body.data;
    await assertUnavailable(client.get(`/findings/${finding?.id}`));
    // The frame is retried without limit, and no attempt counts as a failure.
    await until(async () => waits() >= 3);
    assert.equal((await client.get(`/ingestions/${waiting}`)).body.data.attributes.status, 'processing');

    await given.reconnect();
    const job = await client.ended(waiting);
    assert.deepEqual(
      [job.attributes.status, job.attributes.summary],
      ['completed', { total: 1, processed: 1, invalid: 0 }],
    );
    assert.deepEqual(await attempts(), [
      { failures: 0, interruptions: 0 },
      { failures: 0, interruptions: 0 },
    ]);
    assert.equal((await client.ingest(file)).attributes.status, 'completed');
    const { body } = await client.get<unknown[]>('/ingestions');
    assert.equal(body.data.length, 3, 'the rejected upload created a job');
  });
}

const mounted = await mountFolder();

describe('an unavailable blob folder', { skip: 'reason' in mounted && mounted.reason }, () => {
  assert.ok('folder' in mounted);
  const { folder } = mounted;
  testOutage({
    name: 'the blob store disk',
    environment: async () => ({ SLUICE_BLOB_STORE: pathToFileURL(folder).href }),
    disconnect: mounted.unmount,
    reconnect: async () => {
      assert.deepEqual(await readdir(folder), [], 'files were written to the mount point');
      await mounted.mount();
    },
    remove: mounted.remove,
  });
});

// In the slow lane, s3-service.sampled.test.ts tests a short outage of S3.
if (isWholeRun)
  describe('an unavailable S3 server', () => {
    let s3: S3Server;
    testOutage({
      name: 'S3',
      environment: async () => {
        s3 = await startS3Server();
        return s3.environment;
      },
      disconnect: async () => {
        s3.proxy.rule = () => ({ type: 'status', status: 503, code: 'ServiceUnavailable' });
      },
      reconnect: async () => {
        s3.proxy.rule = () => undefined;
      },
      remove: async () => await s3?.stop(),
    });
  });

describe('binding a blob store to a database', () => {
  const sandbox = createSandbox();
  after(() => sandbox.clear());

  itInWholeRun(
    'rejects a blob store that is empty or belongs to another database after a restart',
    async () => {
      const service = await sandbox.startService();
      await createClient(service.url, service.key).ingest(file);
      await service.end();
      const other = await sandbox.startService();
      await other.end();
      for (const [folder, reason] of [
        [path.join(await sandbox.newDataDir(), 'blobs'), /does not contain the uploads of this database/],
        [path.join(other.dataDir, 'blobs'), /contains the uploads of another database/],
      ] as const) {
        const { code, stderr } = await sandbox.sluice(service.dataDir, ['serve'], {
          SLUICE_BLOB_STORE: pathToFileURL(folder).href,
        });
        assert.equal(code, 1);
        assert.match(stderr, reason);
        assert.match(stderr, /SLUICE_BLOB_STORE/);
      }
      const restarted = await sandbox.startService({}, service.dataDir);
      assert.equal(
        (await createClient(restarted.url, service.key).ingest(file)).attributes.status,
        'completed',
      );
    },
  );

  if (isWholeRun)
    it('writes the blob store marker if the previous start was killed before writing it', async () => {
      const service = await sandbox.startService();
      await service.sql('update blob_store set is_marked = false');
      await rm(path.join(service.dataDir, 'blobs', 'sluice-blob-store'));
      await service.end();
      const restarted = await sandbox.startService({}, service.dataDir);
      assert.equal(
        (await createClient(restarted.url, service.key).ingest(file)).attributes.status,
        'completed',
      );
    });

  for (const { found, bytes } of [
    ...(isWholeRun ? [{ found: 'empty', bytes: '' }] : []),
    { found: 'with half an ID', bytes: '0198' },
  ]) {
    itInWholeRun(`rewrites a blob store marker that the previous start left ${found}`, async () => {
      const service = await sandbox.startService();
      await service.sql('update blob_store set is_marked = false');
      await writeFile(path.join(service.dataDir, 'blobs', 'sluice-blob-store'), bytes);
      await service.end();
      const restarted = await sandbox.startService({}, service.dataDir);
      assert.equal(
        (await createClient(restarted.url, service.key).ingest(file)).attributes.status,
        'completed',
      );
    });
  }

  itInWholeRun('prints a one-line error if a complete blob store marker was later truncated', async () => {
    const service = await sandbox.startService();
    await writeFile(path.join(service.dataDir, 'blobs', 'sluice-blob-store'), '');
    await service.end();
    for (const command of ['serve', 'gc']) {
      const { code, stderr } = await sandbox.sluice(service.dataDir, [command]);
      assert.equal(code, 1);
      assert.match(stderr, /^sluice: the blob store does not contain the uploads of this database[^\n]+\n$/);
    }
  });

  itInWholeRun('sluice gc neither creates nor binds a blob store, with or without --dry-run', async () => {
    const service = await sandbox.startService();
    await service.sql('delete from blob_store');
    const folder = path.join(await sandbox.newDataDir(), 'other');
    const gc = async (...args: string[]) => {
      const SLUICE_BLOB_STORE = pathToFileURL(folder).href;
      const { code, stderr } = await sandbox.sluice(service.dataDir, ['gc', ...args], { SLUICE_BLOB_STORE });
      assert.equal(code, 1);
      assert.match(stderr, /^sluice: [^\n]+\n$/);
      return stderr;
    };
    for (const args of [['--dry-run'], []]) {
      assert.match(await gc(...args), /blob store folder cannot be used: ENOENT/);
      await assert.rejects(stat(folder), { code: 'ENOENT' });
    }
    await mkdir(folder);
    for (const args of [['--dry-run'], []]) {
      assert.match(
        await gc(...args),
        /'sluice serve' has never been started with this database and this blob store/,
      );
      assert.deepEqual(await readdir(folder), []);
      assert.deepEqual(await service.sql('select * from blob_store'), []);
    }
  });
});
