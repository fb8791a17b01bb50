import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient, DOCUMENT_TYPE, type Ingestion } from '../../support/client.ts';
import { holdPending, holdProcessing } from '../../support/held-jobs.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { record, without } from '../../support/records.ts';
import { TIMESTAMP } from '../../support/timestamp.ts';
import { until } from '../../support/until.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const ATTRIBUTES = ['status', 'summary', 'requested_at', 'started_at', 'completed_at'];

describe('an ingestion', () => {
  let service: SharedService;
  let client: Client;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
  });
  after(() => service.leave());

  it('returns 202 and a pending job with a total and no processed records for an upload', async (t) => {
    t.after(await holdPending(service));
    const { status, headers, body } = await client.upload([record(), record(), 'no record']);

    assert.equal(status, 202);
    assert.deepEqual(Object.keys(body).sort(), ['data', 'meta']);
    assert.deepEqual(body.meta, { version: 'v1' });
    assert.equal(body.data.type, 'ingestions');
    assert.match(body.data.id, UUID);
    const { requested_at, ...rest } = body.data.attributes;
    assert.match(requested_at, TIMESTAMP);
    assert.deepEqual(rest, {
      status: 'pending',
      summary: { total: 3, processed: 0, invalid: 0 },
      started_at: null,
      completed_at: null,
    });
    assert.equal(headers.get('retry-after'), '1');
  });

  it('returns the same pending job at the Location URL of the 202 response', async (t) => {
    t.after(await holdPending(service));
    const uploaded = await client.upload([record()]);
    const location = uploaded.headers.get('location') ?? '';
    assert.equal(location, `${service.url}/api/v1/ingestions/${uploaded.body.data.id}`);

    const headers = { authorization: `Api-Key ${service.key}`, accept: DOCUMENT_TYPE };
    const response = await fetch(location, { headers });

    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), DOCUMENT_TYPE);
    assert.equal(response.headers.get('retry-after'), '1');
    assert.deepEqual(await response.json(), uploaded.body);
    assert.equal(uploaded.body.data.links.self, location);
  });

  it('returns started_at and Retry-After while the records of a job are processed', async (t) => {
    const release = await holdProcessing(service);
    t.after(release);
    const { id } = (await client.upload([record()])).body.data;
    const running = await until(async () => {
      const response = await client.get(`/ingestions/${id}`);
      return response.body.data.attributes.status === 'processing' ? response : undefined;
    });

    const { started_at, completed_at, summary, requested_at } = running.body.data.attributes;
    assert.match(started_at ?? '', TIMESTAMP);
    assert.ok(requested_at <= (started_at ?? ''));
    assert.deepEqual([completed_at, summary], [null, { total: 1, processed: 0, invalid: 0 }]);
    assert.equal(running.headers.get('retry-after'), '1');

    await release();
    assert.equal((await client.ended(id)).attributes.started_at, started_at);
  });

  it('completes a job with processed equal to total when every record is valid', async () => {
    const job = await client.ingest([record(), record({ finding_info: { uid: 'finding-2' } })]);
    assertEnded(job, 'completed', { total: 2, processed: 2, invalid: 0 });
  });

  it('fails a job with processed equal to total when one record is invalid', async () => {
    const job = await client.ingest([record(), without('finding_info.uid'), record()]);
    assertEnded(job, 'failed', { total: 3, processed: 3, invalid: 1 });
  });

  it('fails a job when the file itself is invalid', async () => {
    assertEnded(await client.ingest('{}'), 'failed', { total: 0, processed: 0, invalid: 0 });
    assertEnded(await client.ingest('[]'), 'failed', { total: 0, processed: 0, invalid: 0 });
    assertEnded(await client.ingest([record({ class_uid: 2003 })]), 'failed', {
      total: 1,
      processed: 1,
      invalid: 1,
    });
  });

  it('sends no Retry-After for a job that has ended', async () => {
    const { id } = await client.ingest([record()]);
    const { status, headers } = await client.get(`/ingestions/${id}`, { accept: DOCUMENT_TYPE });
    assert.deepEqual([status, headers.get('retry-after')], [200, null]);
  });

  it('returns only the requested fields of an ingestion', async () => {
    const { id } = await client.ingest([record()]);
    const fieldsOf = async (fields: string) => {
      const { body } = await client.get(`/ingestions/${id}?fields[ingestions]=${fields}`);
      assert.equal(body.data.id, id);
      return Object.keys(body.data.attributes);
    };
    assert.deepEqual(await fieldsOf('status,completed_at'), ['status', 'completed_at']);
    assert.deepEqual(await fieldsOf(''), []);
    for (const [query, parameter] of [
      ['fields[ingestions]=status,size', 'fields[ingestions]'],
      ['fields[findings]=status', 'fields[findings]'],
      ['include=errors', 'include'],
      ['page[size]=1', 'page[size]'],
    ]) {
      const { status, body } = await client.get(`/ingestions/${id}?${query}`);
      assert.deepEqual([status, body.errors[0]?.source], [400, { parameter }]);
    }
  });

  it('returns the same 404 for every unknown or malformed ingestion ID', async () => {
    const { id } = await client.ingest([record()]);
    const responses: unknown[] = [];
    for (const path of [
      randomUUID(),
      'nonsense',
      `${id}0`,
      id.replaceAll('-', ''),
      `%7B${id}%7D`,
      `${id}%00`,
      "1'--",
      '0',
      'x'.repeat(5000),
    ]) {
      const { status, body } = await client.get(`/ingestions/${path}`);
      assert.equal(status, 404);
      responses.push({ ...body, errors: body.errors.map(({ id: _, ...rest }) => rest) });
    }
    const detail = 'No ingestion has this ID.';
    const error = { status: '404', code: 'not_found', title: 'Not found', detail };
    for (const response of responses)
      assert.deepEqual(response, { errors: [error], meta: { version: 'v1' } });
  });

  it('returns the same headers for HEAD as for GET requests to an ingestion, but no body', async () => {
    const { id } = await client.ingest([record()]);
    const send = (method: string) =>
      fetch(`${service.url}/api/v1/ingestions/${id}`, {
        method,
        headers: { authorization: `Api-Key ${service.key}` },
      });
    const [get, head] = [await send('GET'), await send('HEAD')];
    assert.equal(head.status, 200);
    const size = String((await get.arrayBuffer()).byteLength);
    assert.deepEqual(
      ['content-type', 'content-length'].map((name) => head.headers.get(name)),
      [DOCUMENT_TYPE, size],
    );
    assert.equal(await head.text(), '');
  });

  function assertEnded(
    { type, attributes }: Ingestion,
    status: string,
    summary: Ingestion['attributes']['summary'],
  ): void {
    assert.equal(type, 'ingestions');
    assert.deepEqual(Object.keys(attributes), ATTRIBUTES);
    assert.deepEqual([attributes.status, attributes.summary], [status, summary]);
    const times = [attributes.requested_at, attributes.started_at ?? '', attributes.completed_at ?? ''];
    for (const time of times) assert.match(time, TIMESTAMP);
    assert.deepEqual(times, [...times].sort());
  }
});
