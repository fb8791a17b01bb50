import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  ageFile,
  ageJob,
  blobFolders,
  countRowsOf,
  countsOf,
  type GcReport,
  NOTHING,
  writeOrphan,
} from '../support/aged-data.ts';
import {
  type Client,
  createClient,
  type FileContent,
  type Ingestion,
  type Resource,
} from '../support/client.ts';
import { itInWholeRun } from '../support/is-whole-run.ts';
import { run } from '../support/process.ts';
import { record } from '../support/records.ts';
import { assertRefused, blobsOf, tracesOf } from '../support/refusal.ts';
import { createSandbox } from '../support/sandbox.ts';
import { createSecondTenant, type SecondTenant } from '../support/second-tenant.ts';
import type { Service } from '../support/service.ts';

const TODAY = new Date().toISOString().slice(0, 10);
const FILE_REMOVED = { status: 410, code: 'file_removed', detail: /was removed after its retention period/ };

describe('garbage collection', () => {
  const sandbox = createSandbox();
  let service: Service;
  let client: Client;
  let second: SecondTenant;
  before(async () => {
    service = await sandbox.startService({ SLUICE_WORKERS: '1' });
    client = createClient(service.url, service.key);
    second = await createSecondTenant(service);
  });
  after(() => sandbox.clear());

  const gc = async (...args: string[]) => await service.sluiceJson<GcReport>('gc', ...args);
  let files = 0;
  /** Returns a file with one finding at this time. */
  const fileOf = (uid: string, time = 1_780_000_000): readonly unknown[] => [
    record({ finding_info: { uid }, time, unmapped: { file: files++ } }),
  ];
  /** Creates two jobs with the same finding. The state of the finding comes from the later job. */
  const replaced = async (uid: string, as = client) => {
    const old = await as.ingest(fileOf(uid));
    const newer = await as.ingest(fileOf(uid, 1_780_000_100));
    return [old.id, newer.id] as const;
  };
  const exists = async (id: string) => (await blobsOf(service.dataDir)).some((file) => file.includes(id));
  const createOrphan = (hours: number, tenantId = service.tenantId, day = TODAY) =>
    writeOrphan({ ...service, tenantId }, hours, day);
  /**
   * Asserts that a dry run reports exactly these items without changing anything, and that a real run collects them.
   */
  const assertCollects = async (expected: Partial<typeof NOTHING>) => {
    const before = await tracesOf(service);
    const dryRun = await gc('--dry-run');
    assert.deepEqual([dryRun.dry_run, countsOf(dryRun)], [true, { ...NOTHING, ...expected }]);
    assert.deepEqual(await tracesOf(service), before);
    const realRun = await gc();
    assert.deepEqual([realRun.dry_run, countsOf(realRun)], [false, { ...NOTHING, ...expected }]);
    for (const category of ['jobs', 'files', 'orphan_blobs'] as const)
      assert.equal(realRun[category].bytes, dryRun[category].bytes, category);
    assert.deepEqual(countsOf(await gc()), NOTHING);
    return dryRun;
  };

  it('keeps all recent data', async () => {
    const [old] = await replaced('young');
    await client.upload(fileOf('keyed'), { headers: { 'idempotency-key': 'young' } });
    await createOrphan(0);
    const almost = await createOrphan(23.9);
    await ageJob(service, old, 29.9);
    await assertCollects({});
    assert.ok((await blobsOf(service.dataDir)).includes(almost));
    assert.equal((await client.send(`/ingestions/${old}/file`, { method: 'HEAD' })).status, 200);
  });

  it('removes blobs that belong to no job, and their old folders', async () => {
    const old = [await createOrphan(24.1), await createOrphan(500, second.id, '2026-01-01')];
    const { orphan_blobs } = await assertCollects({ orphan_blobs: 2 });
    assert.equal(orphan_blobs.bytes, 24);
    const keys = old.map((file) => path.relative(path.join(service.dataDir, 'blobs'), file));
    assert.deepEqual(orphan_blobs.names?.toSorted(), keys.toSorted());
    const folders = await blobFolders(service.dataDir);
    assert.ok(!folders.some((folder) => folder.endsWith('2026-01-01')));
    assert.ok(folders.some((folder) => folder.endsWith(TODAY)));
  });

  it('keeps files that are not blobs of known tenants', async () => {
    const unknownFiles = [await createOrphan(500, randomUUID())];
    for (const name of ['README', `${service.tenantId}/${TODAY}/${randomUUID()}.json`]) {
      const file = path.join(service.dataDir, 'blobs', name);
      await writeFile(file, 'mine');
      await ageFile(file, 5000);
      unknownFiles.push(file);
    }
    await assertCollects({});
    const remaining = await blobsOf(service.dataDir);
    for (const file of unknownFiles) assert.ok(remaining.includes(file), file);
  });

  it('skips folders that cannot contain blobs and may be unreadable', async () => {
    const folder = path.join(service.dataDir, 'blobs', 'lost+found');
    const half = Array.from({ length: 12 }, () => 'x'.repeat(200));
    await mkdir(path.join(folder, 'other', ...half), { recursive: true });
    await mkdir(path.join(folder, ...half), { recursive: true });
    // Uses a path longer than 4,096 bytes, because not even root can read it. File permissions do not restrict root.
    await rename(path.join(folder, 'other'), path.join(folder, ...half, 'other'));
    try {
      await createOrphan(25);
      assert.deepEqual(countsOf(await gc('--dry-run')), { ...NOTHING, orphan_blobs: 1 });
      assert.deepEqual(countsOf(await gc()), { ...NOTHING, orphan_blobs: 1 });
    } finally {
      assert.equal((await run('rm', ['-r', folder])).code, 0);
    }
  });

  it('removes files that no finding refers to, and then returns 410 for the files', async () => {
    const [mine, newer] = await replaced('replaced');
    const [theirs] = await replaced('replaced', second.client);
    for (const id of [mine, newer, theirs]) await ageJob(service, id, 31);
    const { files } = await assertCollects({ files: 2 });
    assert.deepEqual(
      files.names?.toSorted(),
      [`${service.tenantId}/${mine}`, `${second.id}/${theirs}`].toSorted(),
    );
    assert.ok((files.bytes ?? 0) > 100);
    assert.deepEqual([await exists(mine), await exists(theirs), await exists(newer)], [false, false, true]);

    assert.match(
      assertRefused(await client.get(`/ingestions/${mine}/file`), FILE_REMOVED).detail,
      new RegExp(mine),
    );
    assert.equal((await client.send(`/ingestions/${mine}/file`, { method: 'HEAD' })).status, 410);
    assert.equal((await second.client.get(`/ingestions/${mine}/file`)).status, 404);
    const { attributes } = (await client.get(`/ingestions/${mine}`)).body.data;
    assert.deepEqual(attributes.summary, { total: 1, processed: 1, invalid: 0 });
    const scans = await client.get<Resource[]>(`/scans?filter[ingestion]=${mine}`);
    assert.equal(scans.body.data.length, 1);
  });

  it('keeps the file of a job while a finding refers to it', async () => {
    const mixed = await client.ingest([...fileOf('stays'), ...fileOf('goes')]);
    await client.ingest(fileOf('goes', 1_780_000_100));
    await ageJob(service, mixed.id, 4000);
    await assertCollects({});
    const [finding] = (await client.get<Resource[]>(`/findings?filter[ingestion]=${mixed.id}`)).body.data;
    const { status, body } = await client.get<Resource>(`/findings/${finding?.id}`);
    assert.deepEqual([status, body.data.attributes.uid], [200, 'stays']);
    await client.ingest(fileOf('stays', 1_780_000_100));
    await assertCollects({ jobs: 1 });
  });

  it('removes the file of a dry run after a day, and keeps its report', async () => {
    const { id } = await client.ingest(fileOf('dry-run'), { parts: { dry_run: 'true' } });
    await ageJob(service, id, 0.9);
    await assertCollects({});
    assert.ok(await exists(id));
    await ageJob(service, id, 0.2);
    await assertCollects({ files: 1 });
    assertRefused(await client.get(`/ingestions/${id}/file`), FILE_REMOVED);
    const { body } = await client.get<Resource>(`/ingestions/${id}/dry-run`);
    assert.deepEqual(body.data.attributes.errors, {});
  });

  itInWholeRun('keeps the file of a retried job after the file of the original job is removed', async () => {
    const file = [record({ cloud: null, finding_info: { uid: 'retried' } })];
    const original = await client.ingest(file);
    const retry = async () =>
      await client.document<Ingestion>('POST', `/ingestions/${original.id}/retry`, {
        type: 'ingestions',
        attributes: { provider: 'kubernetes', account: 'cluster-1' },
      });
    const { body } = await retry();
    const { id, attributes } = await client.ended(body.data.id);
    assert.equal(attributes.status, 'completed');
    for (const job of [original.id, id]) await ageJob(service, job, 31);
    await assertCollects({ files: 1 });
    assert.deepEqual([await exists(original.id), await exists(id)], [false, true]);
    assert.deepEqual(JSON.parse((await client.file(id)).bytes.toString()), file);
    assert.match(assertRefused(await retry(), FILE_REMOVED).detail, /Upload the file again\.$/);
    await ageJob(service, original.id, 366);
    await assertCollects({ jobs: 1 });
    assert.equal((await retry()).status, 404);
    const [finding] = (await client.get<Resource[]>(`/findings?filter[ingestion]=${id}`)).body.data;
    const details = await client.get<Resource>(`/findings/${finding?.id}`);
    assert.deepEqual(details.body.data.attributes.raw, file[0]);
  });

  it('returns 410 for the record of a finding if the file with the record is missing', async () => {
    const job = await client.ingest(fileOf('lost'));
    await service.sql('update ingestions set blob_removed_at = now() where id = $1', [job.id]);
    const [finding] = (await client.get<Resource[]>(`/findings?filter[ingestion]=${job.id}`)).body.data;
    assertRefused(await client.get(`/findings/${finding?.id}`), FILE_REMOVED);
    assert.equal((await client.get(`/findings/${finding?.id}?fields[findings]=uid`)).status, 200);
    await service.sql('update ingestions set blob_removed_at = null where id = $1', [job.id]);
  });

  it('removes old jobs with all their rows, even if the file was already removed', async () => {
    const file: FileContent = ['bad', ...fileOf('old')];
    const old = (await client.upload(file, { headers: { 'idempotency-key': 'of-an-old-job' } })).body.data.id;
    await client.ended(old);
    const [without] = await replaced('old');
    await ageJob(service, without, 364);
    await ageJob(service, old, 366);
    await assertCollects({ jobs: 1, files: 1, idempotency_keys: 1 });
    assert.deepEqual([await countRowsOf(service, old), await exists(old)], [0, false]);
    assert.equal((await client.get(`/ingestions/${old}`)).status, 404);
    assert.equal((await client.get(`/ingestions/${old}/file`)).status, 404);
    await ageJob(service, without, 2);
    await assertCollects({ jobs: 1 });
    assert.equal(await countRowsOf(service, without), 0);
  });

  it('never removes a job that has not ended, regardless of its age', async () => {
    const { id } = await client.ingest(fileOf('running'));
    await client.ingest(fileOf('running', 1_780_000_100));
    await ageJob(service, id, 5000);
    await service.sql(
      `update ingestions set completed_at = null, status = 'processing', frames_done = 0 where id = $1`,
      [id],
    );
    await assertCollects({});
    await service.sql(
      `update ingestions set completed_at = now(), status = 'completed', frames_done = 1 where id = $1`,
      [id],
    );
  });

  it('keeps idempotency keys for two days, then accepts them for a new job', async () => {
    const file = fileOf('again');
    const upload = () => client.upload(file, { headers: { 'idempotency-key': 'of-yesterday' } });
    const age = (hours: number) =>
      service.sql(
        `update idempotency_keys set inserted_at = now() - $1 * interval '1 hour' where key = 'of-yesterday'`,
        [hours],
      );
    const first = await upload();
    await client.ended(first.body.data.id);
    for (const hours of [25, 47.9]) {
      await age(hours);
      await assertCollects({});
      const repeated = await upload();
      assert.deepEqual([repeated.headers.get('idempotency-replayed'), repeated.body], ['true', first.body]);
    }
    await age(48.1);
    assert.equal(
      (await upload()).headers.get('idempotency-replayed'),
      'true',
      'the key was already collected',
    );
    await assertCollects({ idempotency_keys: 1 });
    const afterExpiry = await upload();
    assert.deepEqual([afterExpiry.status, afterExpiry.headers.get('idempotency-replayed')], [202, null]);
    assert.notEqual(afterExpiry.body.data.id, first.body.data.id);
    await client.ended(afterExpiry.body.data.id);
  });

  itInWholeRun('counts all expired idempotency keys in a dry run and lists the first keys', async () => {
    const { id } = await client.ingest(fileOf('of many keys'));
    await service.sql(
      `insert into idempotency_keys (tenant_id, key, request_sha256, ingestion_id, inserted_at)
       select $1, 'Key ' || n, '', $2, now() - interval '3 days' from generate_series(1, 2500) as n`,
      [service.tenantId, id],
    );
    const { names = [] } = (await assertCollects({ idempotency_keys: 2500 })).idempotency_keys;
    assert.equal(new Set(names).size, 1000);
  });

  it('sluice gc reports its results in plain text', async () => {
    const { stdout: nothing } = await service.sluice('gc', '--dry-run');
    assert.match(nothing, /^orphan_blobs +count 0, bytes 0$/m);
    assert.match(nothing, /^idempotency_keys +count 0$/m);
    await createOrphan(100);
    const { stdout } = await service.sluice('gc', '--dry-run');
    assert.match(stdout, /^dry_run +true\n/);
    assert.match(stdout, /^orphan_blobs +count 1, bytes 12, names \S+\.ocsf\.json\.zst$/m);
    assert.match((await service.sluice('gc')).stdout, /^orphan_blobs +count 1, bytes 12$/m);
  });
});
