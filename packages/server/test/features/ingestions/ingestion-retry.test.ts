import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { open, rename } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { arrayFile } from '../../support/array-file.ts';
import {
  type Client,
  createClient,
  DOCUMENT_TYPE,
  type Ingestion,
  type Resource,
} from '../../support/client.ts';
import { holdProcessing } from '../../support/held-jobs.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { record, without } from '../../support/records.ts';
import { assertRefused, assertRefusedWithoutTrace, blobsOf, tracesOf } from '../../support/refusal.ts';
import { createSecondTenant } from '../../support/second-tenant.ts';
import { readStored } from '../../support/stored-frames.ts';

const DEFAULTS = { provider: 'kubernetes', account: 'cluster-1' };

/** A record like those of older scanners for Kubernetes. */
const withoutAccount = (uid: string) => record({ finding_info: { uid }, cloud: null });

describe('a retry of an ingestion with other defaults', () => {
  let service: SharedService;
  let client: Client;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
  });
  after(() => service.leave());

  const retry = (id: string, attributes?: unknown, headers: Record<string, string> = {}) =>
    client.send<Ingestion>(`/ingestions/${id}/retry`, {
      method: 'POST',
      headers: { 'content-type': DOCUMENT_TYPE, ...headers },
      body: JSON.stringify({ data: { type: 'ingestions', attributes } }),
    });
  /** Retries a job and waits for the new job. */
  const retried = async (id: string, attributes: unknown) => {
    const { status, body } = await retry(id, attributes);
    assert.equal(status, 202, JSON.stringify(body));
    return await client.ended(body.data.id);
  };
  const failed = (uid: string) => client.ingest([withoutAccount(uid)]);
  const accountsOf = async (uid: string) =>
    await service.sql(
      `select p.type, p.account from findings f join providers p on p.tenant_id = f.tenant_id and p.id = f.provider_id
       where f.uid = $1 order by p.account`,
      [uid],
    );

  it('creates a new job that ingests all records of a file in several frames, and keeps the original job', async () => {
    const file = arrayFile(Array.from({ length: 11_000 }, (_, at) => withoutAccount(`frames-${at}`))).bytes;
    const original = await client.ingest(file, { fileName: 'cluster.ocsf.json' });
    assert.deepEqual(original.attributes.summary, { total: 11_000, processed: 11_000, invalid: 11_000 });

    const { status, headers, body } = await retry(original.id, DEFAULTS);

    assert.equal(status, 202);
    const { id, attributes } = body.data;
    assert.notEqual(id, original.id);
    assert.deepEqual(
      [attributes.status, attributes.summary],
      ['pending', { total: 11_000, processed: 0, invalid: 0 }],
    );
    const location = `${service.url}/api/v1/ingestions/${id}`;
    for (const name of ['location', 'content-location']) assert.equal(headers.get(name), location);
    assert.equal(headers.get('retry-after'), '1');

    const job = await client.ended(id);
    assert.deepEqual(
      [job.attributes.status, job.attributes.summary],
      ['completed', { total: 11_000, processed: 11_000, invalid: 0 }],
    );
    const others = { warnings: 0, findings: null };
    assert.deepEqual({ ...job.meta, ...others }, { ...original.meta, ...others });
    assert.deepEqual(await accountsOf('frames-10999'), [{ type: 'kubernetes', account: 'cluster-1' }]);
    assert.deepEqual((await client.get(`/ingestions/${original.id}`)).body.data, original);
    const [before, stored] = [await readStored(service, original), await readStored(service, job)];
    assert.deepEqual({ ...stored, path: '' }, { ...before, path: '' });
    assert.equal(stored.frames.length, 3);
    assert.ok((await client.file(id)).bytes.equals(file));
    const last = await client.get(`/ingestions/${id}/records/10999`);
    assert.equal(last.status, 200);
    assert.match(last.text, /frames-10999/);
  });

  it('retries the job of a retry without using its defaults', async () => {
    const original = await client.ingest([withoutAccount('again')], { parts: DEFAULTS });
    const other = await retried(original.id, { ...DEFAULTS, account: ' cluster-2\u200b ' });
    assert.equal(other.attributes.status, 'completed');
    const expected = ['cluster-1', 'cluster-2'].map((account) => ({ type: 'kubernetes', account }));
    assert.deepEqual(await accountsOf('again'), expected);
    for (const attributes of [undefined, {}, { provider: 'kubernetes' }, { account: 'cluster-1' }]) {
      const job = await retried(other.id, attributes);
      assert.deepEqual((await client.errors(job.id)).counts, { required: 1 });
    }
    assert.deepEqual(await accountsOf('again'), expected);
  });

  it('uses the time of the original upload for records without a time', async () => {
    const original = await client.ingest([without('time', withoutAccount('untimed'))]);
    const first = await retried(original.id, DEFAULTS);
    const second = await retried(first.id, { ...DEFAULTS, account: 'cluster-2' });
    for (const job of [first, second]) assert.equal(job.attributes.status, 'completed');
    const { body } = await client.get<Resource[]>('/findings?filter[uid]=untimed');
    assert.deepEqual(
      body.data.map(({ attributes }) => attributes.last_seen_at),
      [original.attributes.requested_at, original.attributes.requested_at],
    );
  });

  it('reports the faults of the file in the new job', async () => {
    const original = await client.ingest(`[${JSON.stringify(withoutAccount('truncated'))}, {`);
    const job = await retried(original.id, DEFAULTS);
    assert.deepEqual(
      [job.attributes.status, job.attributes.summary],
      ['failed', { total: 1, processed: 1, invalid: 0 }],
    );
    const { errors } = await client.errors(original.id);
    assert.deepEqual(
      errors.map(({ code }) => code),
      ['required', 'truncated'],
    );
    assert.deepEqual((await client.errors(job.id)).errors, errors.slice(1));
    const notArray = await client.ingest('"text"');
    const again = await retried(notArray.id, DEFAULTS);
    assert.deepEqual(await client.errors(again.id), await client.errors(notArray.id));
  });

  it('rejects invalid defaults like the text parts of an upload', async () => {
    const { id } = await failed('invalid');
    const invalid = { status: 400, code: 'invalid_document' };
    for (const [attributes, pointer, detail] of [
      [{ provider: '' }, 'provider', /is blank/],
      [{ account: ' \u200b' }, 'account', /is blank/],
      [{ provider: 'p'.repeat(101) }, 'provider', /longer than 100 characters/],
      [{ account: 'a'.repeat(513) }, 'account', /longer than 512 characters/],
      [{ account: 'a\nb' }, 'account', /control characters or line breaks/],
      [{ account: '\ud800' }, 'account', /not valid UTF-8/],
      [{ account: 'a\ufffd' }, 'account', /not valid UTF-8/],
      [{ account: 1 }, 'account', /must be a string, not a number/],
      [{ account: null }, 'account', /must be a string, not null/],
      [{ name: 'a' }, 'name', /Unknown member/],
    ] as const) {
      const source = { pointer: `/data/attributes/${pointer}` };
      await assertRefusedWithoutTrace(service, () => retry(id, attributes), { ...invalid, detail, source });
    }
  });

  it('returns 404 for a nonexistent job and for a job of another tenant', async () => {
    const notFound = { status: 404, code: 'not_found', detail: /No ingestion has this ID/ };
    const { client: other } = await createSecondTenant(service);
    const foreign = await other.ingest([withoutAccount('foreign')]);
    for (const id of [randomUUID(), 'none', foreign.id])
      await assertRefusedWithoutTrace(service, () => retry(id, DEFAULTS), notFound);
  });

  it('returns 409 while the original job is in progress', async () => {
    const release = await holdProcessing(service);
    const { body } = await client.upload([record({ finding_info: { uid: 'running' } })]);
    await assertRefusedWithoutTrace(service, () => retry(body.data.id, DEFAULTS), {
      status: 409,
      code: 'ingestion_in_progress',
      detail: /has not ended\. Retry it when its status is completed or failed\./,
    });
    await release();
    await client.ended(body.data.id);
    assert.equal((await retry(body.data.id, DEFAULTS)).status, 202);
  });

  it('returns the first response to a repeated request with the same Idempotency-Key', async () => {
    const { id } = await failed('keyed');
    const keyed = (key: string, attributes: unknown = DEFAULTS, of = id) =>
      retry(of, attributes, { 'idempotency-key': key });
    const first = await keyed('retry-1');
    assert.deepEqual([first.status, first.headers.get('idempotency-replayed')], [202, null]);
    await client.ended(first.body.data.id);

    const before = await tracesOf(service);
    const repeated = await keyed('retry-1');
    assert.deepEqual([repeated.status, repeated.body], [202, first.body]);
    assert.equal(repeated.headers.get('idempotency-replayed'), 'true');
    assert.equal(repeated.headers.get('location'), first.headers.get('location'));
    assert.deepEqual(await tracesOf(service), before);

    const reused = {
      status: 422,
      code: 'idempotency_key_reused',
      detail: /was already used for a different upload/,
      source: { header: 'Idempotency-Key' },
    };
    for (const send of [
      () => keyed('retry-1', { ...DEFAULTS, account: 'cluster-2' }),
      () => keyed('retry-1', DEFAULTS, first.body.data.id),
      () => client.upload([withoutAccount('keyed')], { headers: { 'idempotency-key': 'retry-1' } }),
    ])
      await assertRefusedWithoutTrace(service, send, reused);
    assertRefused(await keyed('a b'), {
      status: 400,
      code: 'invalid_idempotency_key',
      detail: /1 to 255 printable ASCII characters/,
      source: { header: 'Idempotency-Key' },
    });
  });

  it('creates one job from concurrent requests with the same Idempotency-Key', async () => {
    const { id } = await failed('at once');
    const before = (await blobsOf(service.dataDir)).length;
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => retry(id, DEFAULTS, { 'idempotency-key': 'at-once' })),
    );
    const [one] = responses;
    for (const { status, body } of responses) assert.deepEqual([status, body], [202, one?.body]);
    assert.equal((await blobsOf(service.dataDir)).length, before + 1);
  });

  it('does not affect the Idempotency-Key of the original upload', async () => {
    const headers = { 'idempotency-key': 'original' };
    const original = await client.ingest([withoutAccount('original')], { headers });
    await retried(original.id, DEFAULTS);
    const { body } = await client.upload([withoutAccount('original')], { headers });
    assert.equal(body.data.id, original.id);
  });

  it('returns 503 and stores nothing if the stored file is damaged or missing', async () => {
    const original = await failed('damaged');
    const { path, blob } = await readStored(service, original);
    for (const at of [10, blob.length - 1]) {
      await using file = await open(path, 'r+');
      await file.write(Buffer.from([(blob[at] ?? 0) ^ 1]), 0, 1, at);
      await assertRefusedWithoutTrace(service, () => retry(original.id, DEFAULTS), {
        status: 503,
        code: 'file_damaged',
        detail: /is damaged/,
      });
      await file.write(blob, at, 1, at);
    }
    await rename(path, `${path}.moved`);
    await assertRefusedWithoutTrace(service, () => retry(original.id, DEFAULTS), {
      status: 503,
      code: 'file_missing',
      detail: /is missing/,
    });
    await rename(`${path}.moved`, path);
    assert.equal((await retried(original.id, DEFAULTS)).attributes.status, 'completed');
  });
});
