import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, before, describe, it } from 'node:test';
import { BLOB_STORE_MARKER } from '../../src/blobs/blob-store.ts';
import { S3BlobStore } from '../../src/blobs/s3-blob-store.ts';
import { ageJob, countsOf, type GcReport, NOTHING } from '../support/aged-data.ts';
import { type Client, createClient } from '../support/client.ts';
import { record } from '../support/records.ts';
import { S3_SECRETS, type S3Server, startS3Server } from '../support/s3-server.ts';
import { createSandbox } from '../support/sandbox.ts';
import type { Service } from '../support/service.ts';

const MIB = 2 ** 20;
const HOUR_MS = 3600 * 1000;

describe('garbage collection with blobs in S3', () => {
  const sandbox = createSandbox();
  let s3: S3Server;
  let service: Service;
  let client: Client;
  let store: S3BlobStore;
  before(async () => {
    s3 = await startS3Server();
    [process.env.AWS_ACCESS_KEY_ID, process.env.AWS_SECRET_ACCESS_KEY] = S3_SECRETS;
    process.env.AWS_REGION = 'eu-central-1';
    store = new S3BlobStore(s3.settings);
    service = await sandbox.startService({ ...s3.environment, SLUICE_WORKERS: '1' });
    client = createClient(service.url, service.key);
  });
  afterEach(() => {
    s3.proxy.rule = () => undefined;
    s3.proxy.uploadsPerPage = 1000;
  });
  after(async () => {
    await sandbox.clear();
    await s3.stop();
  });

  const gc = async (...args: string[]) => await service.sluiceJson<GcReport>('gc', ...args);
  const keyOf = (tenant = service.tenantId) => `${tenant}/2026-01-01/${randomUUID()}.ocsf.json.zst`;
  /** Creates an abandoned multipart upload that started this many hours ago. */
  const begin = async (key: string, hours: number) => {
    const writer = await store.create(key);
    await writer.append(Buffer.alloc(6 * MIB));
    // The writer does not send the part until the next append.
    await writer.append(Buffer.alloc(5 * MIB));
    const upload = s3.proxy.begun.at(-1);
    assert.ok(upload !== undefined);
    assert.ok(upload.path.endsWith(key));
    upload.at = new Date(Date.now() - hours * HOUR_MS);
    return upload.uploadId;
  };

  const list = async () => {
    const keys: string[] = [];
    for await (const { key, bytes, modifiedAt } of store.list()) {
      if (key !== BLOB_STORE_MARKER) keys.push(key);
      assert.ok(bytes > 0 && Math.abs(modifiedAt.getTime() - Date.now()) < HOUR_MS);
    }
    return keys;
  };

  it('aborts only old multipart uploads in S3, page by page', async () => {
    const expired = [];
    for (let number = 0; number < 5; number++) expired.push(await begin(keyOf(), 25));
    const recent = [
      await begin(keyOf(), 23),
      await begin(keyOf(randomUUID()), 500),
      await begin('mine', 500),
    ];
    s3.proxy.uploadsPerPage = 2;
    const dryRun = await gc('--dry-run');
    assert.deepEqual(countsOf(dryRun), { ...NOTHING, unfinished_uploads: 5 });
    assert.equal((await s3.openUploads()).length, 8);
    assert.deepEqual(countsOf(await gc()), { ...NOTHING, unfinished_uploads: 5 });
    assert.deepEqual((await s3.openUploads()).toSorted(), recent.toSorted());
    assert.deepEqual(countsOf(await gc()), NOTHING);
  });

  it('lists all S3 blobs, page by page, and removes unreferenced blobs', async () => {
    const uid = 'replaced';
    const { id } = await client.ingest([record({ finding_info: { uid } })]);
    await client.ingest([record({ finding_info: { uid }, time: 1_780_000_100 })]);
    for (let at = 0; at < 1005; at += 67) {
      await Promise.all(
        Array.from({ length: 67 }, async () => {
          const writer = await store.create(keyOf());
          await writer.append(Buffer.from('twelve bytes'));
          await writer.commit();
        }),
      );
    }
    const listed = await list();
    assert.equal(new Set(listed).size, 1007);
    assert.ok(listed.every((key) => key.startsWith(service.tenantId)));
    await ageJob(service, id, 31);
    assert.deepEqual(countsOf(await gc()), { ...NOTHING, files: 1 });
    assert.equal((await client.get(`/ingestions/${id}/file`)).status, 410);
    assert.equal((await list()).length, 1006);
  });

  it('reports blobs that S3 did not remove', async () => {
    const uid = 'refused';
    const { id } = await client.ingest([record({ finding_info: { uid } })]);
    await client.ingest([record({ finding_info: { uid }, time: 1_780_000_100 })]);
    await ageJob(service, id, 366);
    s3.proxy.rule = ({ operation }) =>
      operation === 'delete' ? { type: 'status', status: 403, code: 'AccessDenied' } : undefined;
    const env = { ...s3.environment };
    const { code, stderr } = await sandbox.sluice(service.dataDir, ['gc'], env);
    assert.equal(code, 1);
    assert.match(stderr, /^sluice: 1 blob could not be removed: could not delete the blob .*AccessDenied/);
    assert.equal((await client.get(`/ingestions/${id}/file`)).status, 404);
    // The blob is unreferenced now, but S3 reports it as recent.
    assert.ok((await list()).some((key) => key.includes(id)));
    s3.proxy.rule = () => undefined;
    assert.deepEqual(countsOf(await gc()), NOTHING);
  });
});
