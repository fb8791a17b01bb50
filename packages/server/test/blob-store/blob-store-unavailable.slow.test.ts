import assert from 'node:assert/strict';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Client, createClient } from '../support/client.ts';
import { holdPending } from '../support/held-jobs.ts';
import { mountFolder } from '../support/mounted-folder.ts';
import { record } from '../support/records.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';
import { createSandbox } from '../support/sandbox.ts';
import type { Service } from '../support/service.ts';
import { until } from '../support/until.ts';

const file = [record({ finding_info: { uid: 'kept' } })];

/** Both kinds of stores, with the means to take them away from a running service. */
function keepsItsPromises(given: {
  readonly environment: () => Promise<Record<string, string>>;
  readonly takeAway: () => Promise<void>;
  readonly bringBack: () => Promise<void>;
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
  const away = async (answer: Promise<{ status: number; headers: Headers; body: unknown }>) => {
    const { status, headers, body } = await answer;
    assert.deepEqual([status, headers.get('retry-after')], [503, '5'], JSON.stringify(body));
    assert.ok(JSON.stringify(body).includes('"blob_store_unavailable"'));
  };
  const waits = () =>
    service.output.stderr.match(/the blob store is unavailable; the worker backs off/g)?.length ?? 0;
  const tries = () => service.sql('select failures, interruptions from frames order by 1, 2');

  it('refuses what needs it with a 503, lets the workers wait, and loses nothing that was accepted', async () => {
    const { id: done } = await client.ingest([record({ finding_info: { uid: 'before' } })]);
    const release = await holdPending(service);
    const waiting = (await client.upload(file)).body.data.id;
    await given.takeAway();
    await release();
    await until(async () => waits() >= 1);
    await away(client.upload(file));
    await away(client.get(`/ingestions/${done}/file`));
    const [finding] = (await client.get<{ id: string }[]>('/findings')).body.data;
    await away(client.get(`/findings/${finding?.id}`));
    // Again and again: the frame is not given up, and none of its tries counts against it.
    await until(async () => waits() >= 3);
    assert.equal((await client.get(`/ingestions/${waiting}`)).body.data.attributes.status, 'processing');

    await given.bringBack();
    const job = await client.ended(waiting);
    assert.deepEqual(
      [job.attributes.status, job.attributes.summary],
      ['completed', { total: 1, processed: 1, invalid: 0 }],
    );
    assert.deepEqual(await tries(), [
      { failures: 0, interruptions: 0 },
      { failures: 0, interruptions: 0 },
    ]);
    assert.equal((await client.ingest(file)).attributes.status, 'completed');
    const { body } = await client.get<unknown[]>('/ingestions');
    assert.equal(body.data.length, 3, 'the refused upload left nothing');
  });
}

const mounted = await mountFolder();

describe('a folder of blobs whose disk goes away', { skip: 'reason' in mounted && mounted.reason }, () => {
  assert.ok('folder' in mounted);
  const { folder } = mounted;
  keepsItsPromises({
    environment: async () => ({ SLUICE_BLOB_STORE: pathToFileURL(folder).href }),
    takeAway: mounted.unmount,
    bringBack: async () => {
      assert.deepEqual(await readdir(folder), [], 'nothing was written below the mount point');
      await mounted.mount();
    },
    remove: mounted.remove,
  });
});

describe('an S3 server that goes away', () => {
  let s3: S3Server;
  keepsItsPromises({
    environment: async () => {
      s3 = await startS3Server();
      return s3.environment;
    },
    takeAway: async () => {
      s3.proxy.rule = () => ({ type: 'status', status: 503, code: 'ServiceUnavailable' });
    },
    bringBack: async () => {
      s3.proxy.rule = () => undefined;
    },
    remove: async () => await s3?.stop(),
  });
});

describe('a blob store that is not the one of the database', () => {
  const sandbox = createSandbox();
  after(() => sandbox.clear());

  it('is refused at the start: one without uploads of anybody, and one of another database', async () => {
    const service = await sandbox.startService();
    await createClient(service.url, service.key).ingest(file);
    await service.end();
    const other = await sandbox.startService();
    await other.end();
    for (const [folder, reason] of [
      [path.join(await sandbox.newDataDir(), 'blobs'), /does not hold the uploads of this database/],
      [path.join(other.dataDir, 'blobs'), /holds the uploads of another database/],
    ] as const) {
      const { code, stderr } = await sandbox.sluice(service.dataDir, ['serve'], {
        SLUICE_BLOB_STORE: pathToFileURL(folder).href,
      });
      assert.equal(code, 1);
      assert.match(stderr, reason);
      assert.match(stderr, /SLUICE_BLOB_STORE/);
    }
    const again = await sandbox.startService({}, service.dataDir);
    assert.equal((await createClient(again.url, service.key).ingest(file)).attributes.status, 'completed');
  });

  it('is marked by a start that was cut off before it was', async () => {
    const service = await sandbox.startService();
    await service.sql('update blob_store set is_marked = false');
    await rm(path.join(service.dataDir, 'blobs', 'sluice-blob-store'));
    await service.end();
    const again = await sandbox.startService({}, service.dataDir);
    assert.equal((await createClient(again.url, service.key).ingest(file)).attributes.status, 'completed');
  });

  for (const { found, bytes } of [
    { found: 'nothing', bytes: '' },
    { found: 'half of an id', bytes: '0198' },
  ]) {
    it(`is marked by a start after one that was killed with ${found} in the mark`, async () => {
      const service = await sandbox.startService();
      await service.sql('update blob_store set is_marked = false');
      await writeFile(path.join(service.dataDir, 'blobs', 'sluice-blob-store'), bytes);
      await service.end();
      const again = await sandbox.startService({}, service.dataDir);
      assert.equal((await createClient(again.url, service.key).ingest(file)).attributes.status, 'completed');
    });
  }

  it('is refused in one line where its mark was whole and is not any more', async () => {
    const service = await sandbox.startService();
    await writeFile(path.join(service.dataDir, 'blobs', 'sluice-blob-store'), '');
    await service.end();
    for (const command of ['serve', 'gc']) {
      const { code, stderr } = await sandbox.sluice(service.dataDir, [command]);
      assert.equal(code, 1);
      assert.match(stderr, /^sluice: the blob store does not hold the uploads of this database[^\n]+\n$/);
    }
  });

  it('is neither bound nor made by a gc, dry or not', async () => {
    const service = await sandbox.startService();
    await service.sql('delete from blob_store');
    const folder = path.join(await sandbox.newDataDir(), 'other');
    const gc = async (...words: string[]) => {
      const SLUICE_BLOB_STORE = pathToFileURL(folder).href;
      const { code, stderr } = await sandbox.sluice(service.dataDir, ['gc', ...words], { SLUICE_BLOB_STORE });
      assert.equal(code, 1);
      assert.match(stderr, /^sluice: [^\n]+\n$/);
      return stderr;
    };
    for (const words of [['--dry-run'], []]) {
      assert.match(await gc(...words), /folder of the blob store cannot be used: ENOENT/);
      await assert.rejects(stat(folder), { code: 'ENOENT' });
    }
    await mkdir(folder);
    for (const words of [['--dry-run'], []]) {
      assert.match(await gc(...words), /no service has started with this database and this blob store yet/);
      assert.deepEqual(await readdir(folder), []);
      assert.deepEqual(await service.sql('select * from blob_store'), []);
    }
  });
});
