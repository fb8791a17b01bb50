import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { type Client, createClient, type FileContent, type UploadOptions } from '../../support/client.ts';
import { isWholeRun } from '../../support/is-whole-run.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import {
  BOUNDARY,
  filePart,
  MULTIPART_TYPE,
  multipart,
  partHead,
  textPart,
} from '../../support/multipart.ts';
import { openUpload } from '../../support/open-request.ts';
import { record } from '../../support/records.ts';
import { assertRefusedWithoutTrace, blobsOf, tracesOf } from '../../support/refusal.ts';
import { createSecondTenant } from '../../support/second-tenant.ts';
import { until } from '../../support/until.ts';

const FILE = JSON.stringify([record(), 'bad']);
const OTHER_FILE = JSON.stringify([record()]);

describe('an upload with an Idempotency-Key', () => {
  let service: SharedService;
  let client: Client;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
  });
  after(() => service.leave());

  const withKey = (key: string, headers: Record<string, string> = {}) => ({
    ...headers,
    'idempotency-key': key,
  });
  const upload = (key: string, file: FileContent = FILE, options: UploadOptions = {}) =>
    client.upload(file, { ...options, headers: withKey(key, options.headers) });
  /** Uploads a file for the first time and asserts that it was not replayed. */
  const first = async (key: string, file?: FileContent, options?: UploadOptions) => {
    const response = await upload(key, file, options);
    assert.deepEqual([response.status, response.headers.get('idempotency-replayed')], [202, null]);
    return response;
  };
  /** Asserts that a repeated upload returns the first response and stores nothing. */
  const assertReplay = async (
    send: () => ReturnType<typeof upload>,
    original: Awaited<ReturnType<typeof upload>>,
  ) => {
    const before = await tracesOf(service);
    const { status, headers, body } = await send();
    assert.deepEqual(body, original.body);
    assert.equal(status, 202);
    assert.equal(headers.get('idempotency-replayed'), 'true');
    for (const name of ['location', 'content-location', 'retry-after', 'content-type'])
      assert.equal(headers.get(name), original.headers.get(name));
    assert.deepEqual(await tracesOf(service), before);
  };

  it('returns the first response to a repeated upload, even after its job has ended', async () => {
    const original = await first('again');
    await assertReplay(() => upload('again'), original);
    const job = await client.ended(original.body.data.id);
    assert.deepEqual(
      [job.attributes.status, job.attributes.summary],
      ['failed', { total: 2, processed: 2, invalid: 1 }],
    );
    const { status, summary, started_at, completed_at } = original.body.data.attributes;
    assert.deepEqual(
      { status, summary, started_at, completed_at },
      {
        status: 'pending',
        summary: { total: 2, processed: 0, invalid: 0 },
        started_at: null,
        completed_at: null,
      },
    );
    await assertReplay(() => upload('again'), original);
  });

  it('ignores file names and multipart boundaries when comparing uploads', async () => {
    const parts = { provider: 'aws', account: '1' };
    const original = await first('form', FILE, { fileName: 'monday.json', parts });
    await assertReplay(() => upload('form', FILE, { fileName: 'tuesday.json', parts }), original);
    const post = (body: Buffer<ArrayBuffer>, boundary: string) =>
      client.send<(typeof original)['body']['data']>('/ingestions', {
        method: 'POST',
        body,
        headers: withKey('form', { 'content-type': `multipart/form-data; boundary=${boundary}` }),
      });
    const body = multipart([textPart('account', ' 1 '), filePart(FILE, ''), textPart('provider', 'aws')]);
    await assertReplay(() => post(body, BOUNDARY), original);
    const another = Buffer.from(body.toString('latin1').replaceAll(BOUNDARY, 'another'), 'latin1');
    await assertReplay(() => post(another, 'another'), original);
  });

  it('treats uploads of the same file as equal, regardless of compression', async () => {
    const content = JSON.stringify(Array.from({ length: 50 }, () => record()));
    const [fast, small] = [gzipSync(content, { level: 1 }), gzipSync(content, { level: 9 })];
    assert.notDeepEqual(fast, small);
    const [head, tail] = [content.slice(0, 1000), content.slice(1000)];
    const forms = {
      plain: content,
      fast,
      small,
      zstd: zstdCompressSync(content),
      members: Buffer.concat([gzipSync(head), gzipSync(tail)]),
    };
    const originals = Object.entries(forms);
    for (const [name, original] of isWholeRun ? originals : originals.slice(0, 1)) {
      const response = await first(`compressed-${name}`, original);
      for (const file of Object.values(forms))
        await assertReplay(() => upload(`compressed-${name}`, file), response);
    }
  });

  it('computes the same upload fingerprint as earlier releases, with or without compression', async () => {
    const parts = { provider: 'aws', account: '1' };
    const { body } = await first('known', gzipSync(FILE), { parts });
    const fileHash = createHash('sha256').update(FILE).digest();
    const fingerprint = createHash('sha256').update(fileHash).update('["aws","1"]').digest();
    const rows = await service.sql(
      "select request_sha256, ingestion_id from idempotency_keys where key = 'known'",
    );
    assert.deepEqual(rows, [{ request_sha256: fingerprint, ingestion_id: body.data.id }]);
  });

  const reused = {
    status: 422,
    code: 'idempotency_key_reused',
    detail: /was already used for a different upload \(ingestion [0-9a-f-]{36}\)/,
    source: { header: 'Idempotency-Key' },
  };
  it("ingests a file again after one of its providers is deleted, before and after the provider's rows are removed", async () => {
    const file = JSON.stringify([
      record(),
      record({ finding_info: { uid: 'second' }, cloud: { account: { uid: 'to be deleted' } } }),
    ]);
    const removed = async () => (await service.sql('select from provider_removals')).length === 0;
    let original = await first('deleted', file);
    for (const wait of [async () => undefined, () => until(removed)]) {
      await client.ended(original.body.data.id);
      await assertReplay(() => upload('deleted', file), original);
      const { body } = await client.get<{ id: string }[]>('/providers?filter[account]=to be deleted');
      assert.equal((await client.delete(`/providers/${body.data[0]?.id}`)).status, 204);
      await wait();
      original = await first('deleted', file);
      assert.equal((await client.ended(original.body.data.id)).attributes.summary.processed, 2);
    }
    const { body } = await client.get<{ id: string }[]>('/providers?filter[account]=to be deleted');
    assert.equal(body.data.length, 1);
  });

  it('rejects an upload of another file with the same Idempotency-Key', async () => {
    const original = await first('file');
    for (const file of [OTHER_FILE, `${FILE} `, gzipSync(OTHER_FILE), zstdCompressSync(OTHER_FILE)]) {
      const { detail } = await assertRefusedWithoutTrace(service, () => upload('file', file), reused);
      assert.ok(detail.includes(original.body.data.id));
    }
    await assertReplay(() => upload('file'), original);
  });

  it('rejects an upload with different text fields and the same Idempotency-Key', async () => {
    const original = await first('parts', FILE, { parts: { provider: 'aws', account: '1' } });
    for (const parts of [
      {},
      { provider: 'aws' },
      { account: '1' },
      { provider: 'aws', account: '2' },
      { provider: '1', account: 'aws' },
      { provider: 'gcp', account: '1' },
    ])
      await assertRefusedWithoutTrace(service, () => upload('parts', FILE, { parts }), reused);
    await assertReplay(() => upload('parts', FILE, { parts: { account: '1', provider: 'aws' } }), original);
  });

  it('creates one job from ten concurrent uploads with the same file and Idempotency-Key', async () => {
    const before = await tracesOf(service);
    const responses = await Promise.all(Array.from({ length: 10 }, () => upload('at-once')));
    const [one] = responses;
    assert.ok(one);
    for (const { status, body } of responses) assert.deepEqual([status, body], [202, one.body]);
    const replayed = responses.filter(({ headers }) => headers.get('idempotency-replayed') === 'true');
    assert.equal(replayed.length, 9);
    const after = await tracesOf(service);
    assert.deepEqual(
      after.rows.map((row) => Object.values(row).map(Number)),
      before.rows.map((row) => Object.values(row).map((count) => Number(count) + 1)),
    );
    const added = after.blobs.filter((blob) => !before.blobs.includes(blob));
    assert.equal(added.length, 1);
    assert.ok(added[0]?.includes(one.body.data.id));
    const { summary } = (await client.ended(one.body.data.id)).attributes;
    assert.deepEqual(summary, { total: 2, processed: 2, invalid: 1 });
  });

  it('accepts one of ten different concurrent uploads with the same Idempotency-Key and rejects the others', async () => {
    const files = Array.from({ length: 10 }, (_, index) => JSON.stringify([record(), index]));
    const responses = await Promise.all(files.map((file) => upload('at-odds', file)));
    assert.deepEqual(responses.map(({ status }) => status).sort(), [202, ...Array(9).fill(422)]);
    const rows = await service.sql("select ingestion_id from idempotency_keys where key = 'at-odds'");
    assert.deepEqual(rows, [{ ingestion_id: responses.find(({ status }) => status === 202)?.body.data.id }]);
  });

  it('keeps the Idempotency-Keys of different tenants separate', async () => {
    const otherClient = (await createSecondTenant(service)).client;
    const original = await first('shared');
    const foreign = await otherClient.upload(OTHER_FILE, { headers: withKey('shared') });
    assert.deepEqual([foreign.status, foreign.headers.get('idempotency-replayed')], [202, null]);
    assert.notEqual(foreign.body.data.id, original.body.data.id);
    await assertReplay(() => upload('shared'), original);
    await assertReplay(() => otherClient.upload(OTHER_FILE, { headers: withKey('shared') }), foreign);
  });

  it('accepts 1 to 255 printable characters without spaces as an Idempotency-Key', async () => {
    const expected = {
      status: 400,
      code: 'invalid_idempotency_key',
      detail: /1 to 255 printable ASCII characters without spaces/,
      source: { header: 'Idempotency-Key' },
    };
    for (const key of ['', 'two words', 'x'.repeat(256), 'schlüssel', 'tab\tbed'])
      await assertRefusedWithoutTrace(service, () => upload(key), expected);
    const twice = () => {
      const { request, response } = openUpload(service, { 'content-length': '0' });
      request.setHeader('idempotency-key', ['one', 'two']);
      request.end();
      return response;
    };
    await assertRefusedWithoutTrace(service, twice, expected);
    await first('~'.repeat(255));
    await first('!');
  });

  it('accepts an Idempotency-Key again after a rejected upload', async () => {
    const body = multipart([filePart(FILE), textPart('colour', 'red')]);
    const headers = withKey('kept', { 'content-type': MULTIPART_TYPE });
    const send = () => client.send('/ingestions', { method: 'POST', body, headers });
    const expected = { status: 400, code: 'unexpected_part', detail: /'colour'/ };
    await assertRefusedWithoutTrace(service, send, expected);
    await assertRefusedWithoutTrace(service, () => upload('kept', gzipSync(FILE).subarray(0, 50)), {
      status: 400,
      code: 'invalid_compression',
      detail: /truncated/,
      source: { pointer: '/file' },
    });
    const original = await first('kept');
    await assertReplay(() => upload('kept'), original);
  });

  it('accepts an Idempotency-Key again after a client disconnects during an upload', async () => {
    const { blobs } = await tracesOf(service);
    const { request, send } = openUpload(service, withKey('gone'));
    request.on('error', () => undefined);
    await send(partHead(filePart('')));
    await send(FILE);
    const count = async () => (await blobsOf(service.dataDir)).length;
    await until(async () => (await count()) > blobs.length || undefined);
    request.destroy();
    await until(async () => (await count()) === blobs.length || undefined);
    const original = await first('gone');
    await assertReplay(() => upload('gone'), original);
  });

  it('creates separate jobs for uploads without an Idempotency-Key', async () => {
    const original = await first('alone');
    const { status, headers, body } = await client.upload(FILE);
    assert.deepEqual([status, headers.get('idempotency-replayed')], [202, null]);
    assert.notEqual(body.data.id, original.body.data.id);
  });
});
