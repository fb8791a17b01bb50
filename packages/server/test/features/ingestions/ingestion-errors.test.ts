import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { type ApiResponse, type Client, createClient, type IngestionError } from '../../support/client.ts';
import { holdPending } from '../../support/held-jobs.ts';
import { record, without } from '../../support/records.ts';
import { createSecondTenant } from '../../support/second-tenant.ts';
import { type Service, startService } from '../../support/service.ts';
import { walkPages } from '../../support/walk-pages.ts';

type Errors = ApiResponse<IngestionError[]>;

const KEPT = 25;
const GOOD = record({ finding_info: { title: 'Ä title with more bytes than characters: 🪣' } });
const NO_UID = without('finding_info.uid');
const OTHER_CLASS = record({ class_uid: 2003, finding_info: { uid: 'other-class' } });
const WRONG_STATUS = record({ status_code: 'SKIPPED', finding_info: { uid: 'other-status' } });

describe('ingestion errors', () => {
  let service: Service;
  let client: Client;
  before(async () => {
    service = await startService({ SLUICE_ERRORS_KEPT_PER_JOB: String(KEPT), SLUICE_WORKERS: '2' });
    client = createClient(service.url, service.key);
  });
  after(() => service.remove());

  const errorsOf = async (id: string, query = ''): Promise<Errors> => {
    const response = await client.get<IngestionError[]>(`/ingestions/${id}/errors?${query}`);
    assert.equal(response.status, 200, query);
    return response;
  };
  const codesOf = ({ body }: Errors) => body.data.map(({ attributes }) => attributes.code);
  /** Returns the attributes without `detail`, which is free text. */
  const factsOf = ({ body }: Errors) =>
    body.data.map(({ attributes: { detail, ...facts } }) => {
      assert.match(detail, /^\S.*\S$/);
      return facts;
    });

  it('reports the position, field, error code and finding of each invalid record', async () => {
    const { text, offsets } = fileOf([NO_UID, GOOD, OTHER_CLASS, GOOD, 'no object', WRONG_STATUS]);
    const job = await client.ingest(text);
    const response = await errorsOf(job.id);

    assert.deepEqual(factsOf(response), [
      {
        code: 'required',
        record_index: 0,
        byte_offset: offsets[0],
        pointer: '/finding_info/uid',
        finding_uid: null,
      },
      {
        code: 'unsupported_class',
        record_index: 2,
        byte_offset: offsets[2],
        pointer: '/class_uid',
        finding_uid: 'other-class',
      },
      { code: 'invalid_type', record_index: 4, byte_offset: offsets[4], pointer: '', finding_uid: null },
      {
        code: 'invalid_value',
        record_index: 5,
        byte_offset: offsets[5],
        pointer: '/status_code',
        finding_uid: 'other-status',
      },
    ]);
    assert.deepEqual(Object.keys(response.body.data[0]?.attributes ?? {}), [
      'code',
      'detail',
      'record_index',
      'byte_offset',
      'pointer',
      'finding_uid',
    ]);
    assert.deepEqual(response.body.meta, {
      version: 'v1',
      pagination: { page: 1, pages: 1, count: 4 },
      counts: { invalid_type: 1, invalid_value: 1, required: 1, unsupported_class: 1 },
    });
    for (const { type } of response.body.data) assert.equal(type, 'ingestion-errors');
    assert.equal(new Set(response.body.data.map(({ id }) => id)).size, 4);
    assert.deepEqual(job.attributes.summary, { total: 6, processed: 6, invalid: 4 });
  });

  it('lists the file error after the errors of the records that precede it', async () => {
    const { text, offsets } = fileOf([NO_UID, GOOD, GOOD]);
    const cutOff = Buffer.from(text).subarray(0, (offsets[2] ?? 0) + 10);
    const response = await errorsOf((await client.ingest(cutOff)).id);
    assert.deepEqual(factsOf(response), [
      {
        code: 'required',
        record_index: 0,
        byte_offset: offsets[0],
        pointer: '/finding_info/uid',
        finding_uid: null,
      },
      { code: 'truncated', record_index: null, byte_offset: cutOff.length, pointer: null, finding_uid: null },
    ]);
    assert.deepEqual(response.body.meta.counts, { required: 1, truncated: 1 });
  });

  it('reports an error for a file without Detection Findings', async () => {
    const { text, offsets } = fileOf([OTHER_CLASS]);
    const response = await errorsOf((await client.ingest(text)).id);
    assert.deepEqual(
      factsOf(response).map(({ code, record_index, byte_offset }) => [code, record_index, byte_offset]),
      [
        ['no_detection_findings', null, 0],
        ['unsupported_class', 0, offsets[0]],
      ],
    );
    assert.deepEqual(response.body.meta.counts, { no_detection_findings: 1, unsupported_class: 1 });
  });

  it('returns an empty list of errors for a job without errors', async () => {
    const { body } = await errorsOf((await client.ingest([GOOD])).id);
    assert.deepEqual(body.data, []);
    assert.deepEqual(body.meta, {
      version: 'v1',
      pagination: { page: 1, pages: 1, count: 0 },
      counts: {},
    });
  });

  it('lists the file error of a job before the records are processed', async (t) => {
    t.after(await holdPending(service));
    const { id, attributes } = (await client.upload('[{}')).body.data;
    assert.equal(attributes.status, 'pending');
    const response = await errorsOf(id);
    assert.deepEqual([codesOf(response), response.body.meta.counts], [['truncated'], { truncated: 1 }]);
  });

  it('stores errors up to the limit, returns exact counts, and paginates errors in file order', async () => {
    const { text, offsets } = fileOf(
      Array.from({ length: 100 }, (_, n) => (n % 5 < 3 ? NO_UID : OTHER_CLASS)),
    );
    const { id } = await client.ingest(text);

    const first = await errorsOf(id);
    const pages = await walkPages(service, first, 'next');
    assert.deepEqual(
      pages.map(({ body }) => body.data.length),
      [10, 10, 5],
    );
    assert.deepEqual(
      pages.flatMap(factsOf).map(({ record_index, byte_offset }) => [record_index, byte_offset]),
      offsets.slice(0, KEPT).map((offset, index) => [index, offset]),
    );
    for (const [index, { body }] of pages.entries()) {
      assert.deepEqual(body.meta.pagination, { page: index + 1, pages: 3, count: KEPT });
      assert.deepEqual(body.meta.counts, { required: 60, unsupported_class: 40 });
    }
    assert.deepEqual([first.body.links.prev, pages[2]?.body.links.self], [null, first.body.links.last]);
  });

  it('stores errors up to the limit across all frames of a job that two workers process', async () => {
    const { id, attributes } = await client.ingest(Array.from({ length: 12_000 }, () => 0));
    assert.deepEqual(attributes.summary, { total: 12_000, processed: 12_000, invalid: 12_000 });
    const { body } = await errorsOf(id, 'filter[code]=invalid_type');
    assert.equal(body.meta.pagination.count, KEPT);
    assert.deepEqual(body.meta.counts, { invalid_type: 12_000, no_detection_findings: 1 });
  });

  it('filters errors by code, but returns the counts for the whole job', async () => {
    const { id } = await client.ingest([NO_UID, OTHER_CLASS, NO_UID, 0]);
    const counts = { invalid_type: 1, required: 2, unsupported_class: 1 };
    for (const [filter, codes] of [
      ['filter[code]=required', ['required', 'required']],
      ['filter[code__in]=unsupported_class,invalid_type', ['unsupported_class', 'invalid_type']],
      ['filter[code__in]=required,%20invalid_type', ['required', 'required', 'invalid_type']],
      ['filter[code]=record_too_large', []],
    ] as const) {
      const response = await errorsOf(id, filter);
      assert.deepEqual(codesOf(response), codes, filter);
      assert.deepEqual(
        [response.body.meta.pagination.count, response.body.meta.counts],
        [codes.length, counts],
      );
    }
    const pages = await walkPages(service, await errorsOf(id, 'filter[code]=required&page[size]=1'), 'next');
    assert.deepEqual(
      pages.flatMap(factsOf).map(({ record_index }) => record_index),
      [0, 2],
    );
  });

  it('sorts ingestion errors and returns only the requested fields', async () => {
    const { id } = await client.ingest([OTHER_CLASS, 0, NO_UID]);
    const recordsBy = async (sort: string) =>
      factsOf(await errorsOf(id, `sort=${sort}`)).map(({ record_index }) => record_index);
    assert.deepEqual(await recordsBy('-byte_offset'), [2, 1, 0]);
    assert.deepEqual(await recordsBy('-record_index'), [2, 1, 0]);
    assert.deepEqual(await recordsBy('code'), [1, 2, 0]);
    assert.deepEqual(await recordsBy('-code'), [0, 2, 1]);
    const { body } = await errorsOf(id, 'fields[ingestion-errors]=code,pointer');
    assert.deepEqual(body.data[0]?.attributes, { code: 'unsupported_class', pointer: '/class_uid' });
  });

  it('returns 400 for an invalid query to the errors list and names the parameter', async () => {
    const { id } = await client.ingest([GOOD]);
    for (const [query, parameter] of [
      ['filter[status]=failed', 'filter[status]'],
      ['fields[ingestions]=status', 'fields[ingestions]'],
      ['fields[ingestion-errors]=text', 'fields[ingestion-errors]'],
      ['sort=detail', 'sort'],
      ['page[size]=1001', 'page[size]'],
      ['filter[code]=%00', 'filter[code]'],
      ['code=required', 'code'],
    ]) {
      const { status, body } = await client.get(`/ingestions/${id}/errors?${query}`);
      assert.deepEqual([status, body.errors[0]?.source], [400, { parameter }], query);
    }
  });

  it('returns the same 404 for the errors of an ingestion whose ID is unknown, malformed or from another tenant', async () => {
    const second = await createSecondTenant(service);
    const foreign = await second.client.ingest([NO_UID]);
    assert.equal((await second.client.errors(foreign.id)).errors.length, 1);
    for (const id of [randomUUID(), 'nonsense', foreign.id]) {
      const { status, body } = await client.get(`/ingestions/${id}/errors`);
      assert.equal(status, 404);
      assert.deepEqual(
        body.errors.map(({ id: _, ...rest }) => rest),
        [
          {
            status: '404',
            code: 'not_found',
            title: 'Not found',
            detail: 'No ingestion has this ID.',
          },
        ],
      );
      assert.equal((await client.get(`/ingestions/${id}`)).status, 404);
    }
  });
});

/** Returns a file with one of these records per line, and the byte offset of each record. */
function fileOf(records: readonly unknown[]): { text: string; offsets: number[] } {
  const offsets: number[] = [];
  let text = '[\n';
  for (const one of records) {
    if (offsets.length > 0) text += ',\n';
    offsets.push(Buffer.byteLength(text));
    text += JSON.stringify(one);
  }
  return { text: `${text}\n]`, offsets };
}
