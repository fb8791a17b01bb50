import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, afterEach, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { arrayFile } from '../support/array-file.ts';
import { type Client, createClient, type Ingestion, type Resource } from '../support/client.ts';
import type { Fault, S3Request } from '../support/fault-proxy.ts';
import { itInWholeRun } from '../support/is-whole-run.ts';
import { record } from '../support/records.ts';
import { S3_SECRETS, type S3Server, startS3Server } from '../support/s3-server.ts';
import { type Service, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

const MIB = 2 ** 20;
const UNAVAILABLE = { type: 'status', status: 503, code: 'ServiceUnavailable' } as const;

/** Records that barely compress, so that the blob has several parts. */
const largeFile = (name: string) =>
  arrayFile(
    Array.from({ length: 40 }, (_, at) =>
      record({
        resources: [{ uid: `${name}-${at}` }],
        unmapped: { noise: randomBytes(MIB / 4).toString('base64') },
      }),
    ),
  ).bytes;

describe('the service with an S3 blob store', () => {
  let s3: S3Server;
  let service: Service;
  let client: Client;
  before(async () => {
    s3 = await startS3Server();
    service = await startService({ ...s3.environment, SLUICE_WORKERS: '2', SLUICE_UPLOADS_AT_ONCE: '1' });
    client = createClient(service.url, service.key);
  });
  afterEach(() => {
    s3.proxy.rule = () => undefined;
  });
  after(async () => {
    await service.remove();
    await s3.stop();
  });

  /** Uploads a file, waits for its job, and compares the stored file and the last finding with the upload. */
  const assertIngested = async (file: Uint8Array<ArrayBuffer>, uid: string) => {
    const { id, attributes } = await client.ingest(file);
    const records: Record<string, unknown>[] = JSON.parse(Buffer.from(file).toString());
    assert.deepEqual(
      [attributes.status, attributes.summary],
      ['completed', { total: records.length, processed: records.length, invalid: 0 }],
    );
    assert.ok((await client.file(id)).bytes.equals(file), 'the stored file differs from the upload');
    const findings = await client.get<Resource[]>(`/findings?filter[resource_uid]=${uid}`);
    const [finding] = findings.body.data;
    const details = await client.get<Resource>(`/findings/${finding?.id}`);
    assert.deepEqual(details.body.data.attributes.raw, records.at(-1));
    return id;
  };

  it('stores a small file with a single PUT request to S3 and returns the file and its record', async () => {
    const from = s3.proxy.requests.length;
    const id = await assertIngested(arrayFile([record({ resources: [{ uid: 'small' }] })]).bytes, 'small');
    const writes = s3.proxy.requests.slice(from).filter(({ method }) => method !== 'GET');
    assert.deepEqual(
      writes.map(({ operation }) => operation),
      ['put'],
    );
    assert.ok((await s3.objects()).some((key) => key.startsWith('some/where/') && key.includes(id)));
  });

  it('ingests a file with several parts and frames despite intermittent S3 faults', async () => {
    const faults: Record<string, Fault> = {
      'create 1': UNAVAILABLE,
      'part 1': { type: 'cut-request', afterBytes: MIB },
      'part 3': UNAVAILABLE,
      'part 4': { type: 'delay', ms: 500 },
      'complete 1': { type: 'cut-response', afterBytes: 0 },
    };
    const counts = new Map<string, number>();
    const seenKeys = new Set<string>();
    s3.proxy.rule = ({ operation }: S3Request) => {
      const count = (counts.get(operation) ?? 0) + 1;
      counts.set(operation, count);
      if (operation === 'get') {
        if (count % 3 === 0) return { type: 'cut-response', afterBytes: 1000 };
        return count % 4 === 0 ? UNAVAILABLE : undefined;
      }
      const name = `${operation} ${count}`;
      seenKeys.add(name);
      return faults[name];
    };
    await assertIngested(largeFile('large'), 'large-39');
    for (const name of Object.keys(faults)) assert.ok(seenKeys.has(name), `${name} was not injected`);
    assert.ok((counts.get('get') ?? 0) > 4);
    assert.deepEqual(await s3.openUploads(), []);
  });

  itInWholeRun(
    'copies a file with several parts and frames for a retry, and leaves nothing in S3 if the copy fails',
    async () => {
      const file = largeFile('retried');
      const original = await client.ingest(file);
      const retry = (account: string) =>
        client.document<Ingestion>('POST', `/ingestions/${original.id}/retry`, {
          type: 'ingestions',
          attributes: { account },
        });
      const before = await s3.objects();
      for (const denied of ['get', 'part', 'complete']) {
        s3.proxy.rule = ({ operation }) =>
          operation === denied ? { type: 'status', status: 403, code: 'AccessDenied' } : undefined;
        const { status, body } = await retry(denied);
        assert.deepEqual([status, body.errors[0]?.code], [503, 'blob_store_unavailable'], denied);
        assert.deepEqual([await s3.objects(), await s3.openUploads()], [before, []]);
      }
      s3.proxy.rule = () => undefined;
      const { body } = await retry('accepted');
      assert.equal((await client.ended(body.data.id)).attributes.status, 'completed');
      await s3.remove(before.find((key) => key.includes(original.id)) ?? '');
      assert.ok(
        (await client.file(body.data.id)).bytes.equals(file),
        'the copied file differs from the upload',
      );
      assert.equal((await retry('removed')).body.errors[0]?.code, 'file_missing');
    },
  );

  it('returns 503 for an upload when S3 denies access, stores nothing and accepts the next upload', async () => {
    const before = [await s3.objects(), await service.sql('select count(*)::int from ingestions')];
    s3.proxy.rule = ({ operation }) =>
      operation === 'part' ? { type: 'status', status: 403, code: 'AccessDenied' } : undefined;
    const { status, body, headers } = await client.upload(largeFile('denied'));
    assert.deepEqual(
      [status, body.errors[0]?.code, headers.get('retry-after')],
      [503, 'blob_store_unavailable', '5'],
    );
    s3.proxy.rule = () => undefined;
    assert.deepEqual([await s3.objects(), await service.sql('select count(*)::int from ingestions')], before);
    assert.deepEqual(await s3.openUploads(), []);
    assert.match(service.output.stderr, /could not upload part 1 of the blob some\/where\/.*: AccessDenied/);
    await assertIngested(arrayFile([record({ resources: [{ uid: 'after' }] })]).bytes, 'after');
  });

  itInWholeRun('leaves nothing in S3 after a rejected upload', async () => {
    const before = await s3.objects();
    const damaged = await client.upload(Buffer.concat([Buffer.from([0x1f, 0x8b]), randomBytes(1000)]));
    assert.equal(damaged.status, 400);
    const form = new FormData();
    form.append('file', new Blob([largeFile('broken')]));
    form.append('file', new Blob(['[]']));
    const second = await client.send('/ingestions', { method: 'POST', body: form });
    assert.equal(second.status, 400);
    assert.deepEqual([await s3.objects(), await s3.openUploads()], [before, []]);
  });

  it('completes a job once S3 recovers and logs no credentials', async () => {
    s3.proxy.rule = ({ operation }) =>
      operation === 'get' ? { type: 'status', status: 403, code: 'AccessDenied' } : undefined;
    const { body } = await client.upload([record({ finding_info: { uid: 'later' } })]);
    const from = s3.proxy.requests.length;
    await until(async () => s3.proxy.requests.slice(from).some(({ operation }) => operation === 'get'));
    s3.proxy.rule = () => undefined;
    assert.equal((await client.ended(body.data.id)).attributes.status, 'completed');
    const { stdout, stderr } = service.output;
    for (const secret of S3_SECRETS) assert.ok(!`${stdout}${stderr}`.includes(secret));
  });

  itInWholeRun(
    'logs a leftover multipart upload that S3 refuses to abort, and frees the upload slot',
    {
      timeout: 60_000,
    },
    async () => {
      s3.proxy.rule = ({ operation }) =>
        operation === 'abort' ? { type: 'status', status: 403, code: 'AccessDenied' } : undefined;
      const damaged = gzipSync(largeFile('aborted')).subarray(0, -100);
      assert.equal((await client.upload(damaged)).status, 400);
      assert.equal((await s3.openUploads()).length, 1);
      assert.match(service.output.stderr, /garbage collection will remove it/);
      assert.match(service.output.stderr, /could not abort the blob some\/where\/.*: AccessDenied/);
      assert.equal((await client.upload([record()])).status, 202);
    },
  );

  it('shuts down within 5 seconds with an S3 blob store', async () => {
    const start = performance.now();
    assert.equal(await service.end(), 0);
    assert.ok(performance.now() - start < 5000);
  });
});
