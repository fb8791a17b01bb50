import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient, type IngestionError } from '../../support/client.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { record } from '../../support/records.ts';
import { createSecondTenant } from '../../support/second-tenant.ts';

describe('ingestion warnings', () => {
  let service: SharedService;
  let client: Client;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
  });
  after(() => service.leave());

  const list = (id: string, query = '') => client.get<IngestionError[]>(`/ingestions/${id}/warnings${query}`);
  const unusual = [
    record({ finding_info: { uid: 'plain' } }),
    record({ finding_info: { uid: 'future', title: 7 }, time: '9999-01-01T00:00:00Z' }),
    record({
      finding_info: { uid: 'two' },
      resources: [
        { uid: 'one', type: 1, group: 's3' },
        { uid: 'two', type: 2 },
      ],
    }),
    record({ finding_info: { uid: 'rejected' }, resources: 'none', status_code: 'WHAT' }),
  ];

  it('lists the warnings of ingested records in file order, with exact counts', async () => {
    const { id, attributes, meta } = await client.ingest(unusual);
    assert.deepEqual(attributes.summary, { total: 4, processed: 4, invalid: 1 });
    const { status, body } = await list(id);
    assert.equal(status, 200);
    assert.deepEqual(
      body.data.map(({ type, attributes: { code, pointer, record_index, finding_uid } }) => [
        type,
        code,
        pointer,
        record_index,
        finding_uid,
      ]),
      [
        ['ingestion-warnings', 'future_time', '/time', 1, 'future'],
        ['ingestion-warnings', 'invalid_type', '/finding_info/title', 1, 'future'],
        ['ingestion-warnings', 'invalid_type', '/resources/0/group', 2, 'two'],
        ['ingestion-warnings', 'invalid_type', '/resources/0/type', 2, 'two'],
        ['ingestion-warnings', 'invalid_type', '/resources/1/type', 2, 'two'],
      ],
    );
    assert.equal(new Set(body.data.map((warning) => warning.id)).size, 5);
    assert.deepEqual(body.meta.counts, { future_time: 1, invalid_type: 4 });
    assert.equal(meta.warnings, 5);
    const jobs = await client.get<{ id: string; meta: Record<string, unknown> }[]>('/ingestions');
    assert.equal(jobs.body.data.find((job) => job.id === id)?.meta.warnings, 5);
    const filtered = await list(id, '?filter[code]=invalid_type&sort=-record_index&page[size]=2');
    assert.deepEqual(
      filtered.body.data.map(({ attributes: { record_index } }) => record_index),
      [2, 2],
    );
  });

  it('completes a job that has only warnings', async () => {
    const { attributes, meta } = await client.ingest(unusual.slice(0, 3));
    assert.deepEqual([attributes.status, attributes.summary.invalid, meta.warnings], ['completed', 0, 5]);
    assert.deepEqual(Object.keys(attributes).sort(), [
      'completed_at',
      'requested_at',
      'started_at',
      'status',
      'summary',
    ]);
  });

  it("returns an empty list of warnings for a job without warnings, and 404 for another tenant's job", async () => {
    const { id, meta } = await client.ingest([record()]);
    const { body } = await list(id);
    assert.deepEqual([body.data, body.meta.counts, meta.warnings], [[], {}, 0]);
    const other = await createSecondTenant(service);
    assert.equal((await other.client.get(`/ingestions/${id}/warnings`)).status, 404);
  });
});
