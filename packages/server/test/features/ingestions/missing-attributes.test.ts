import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { FRAMES_CHANNEL } from '../../../src/db/notifications.ts';
import { arrayFile } from '../../support/array-file.ts';
import { type Client, createClient, type IngestionError } from '../../support/client.ts';
import { holdPending } from '../../support/held-jobs.ts';
import { itInWholeRun } from '../../support/is-whole-run.ts';
import { record, without } from '../../support/records.ts';
import { createSandbox } from '../../support/sandbox.ts';
import type { Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const CODE = 'missing_required_attribute';

interface Warning extends IngestionError {
  readonly attributes: IngestionError['attributes'] & { readonly record_count: number | null };
}

const named = (uid: string, members: Readonly<Record<string, unknown>> = {}) =>
  record({ finding_info: { uid }, ...members });

// Uses a separate service with two workers and a low limit, in which a trigger makes PostgreSQL reject records.
describe('attributes that OCSF requires but that records lack', () => {
  const sandbox = createSandbox();
  let service: Service;
  let client: Client;
  before(async () => {
    service = await sandbox.startService({ SLUICE_WORKERS: '2', SLUICE_ERRORS_KEPT_PER_JOB: '3' });
    client = createClient(service.url, service.key);
  });
  after(() => sandbox.clear());

  const warningsOf = async (id: string, by = client) => {
    const { status, body } = await by.get<Warning[]>(`/ingestions/${id}/warnings?page[size]=100`);
    assert.equal(status, 200);
    return { warnings: body.data.map(({ attributes }) => attributes), counts: body.meta.counts };
  };

  it('cause one warning per attribute, with the exact number of records in all frames and the first of them', async () => {
    const members = (at: number) => ({
      ...(at % 2 === 1 && { category_uid: null }),
      ...(at >= 4000 && { metadata: { version: at % 5 === 0 ? '1.3.2' : '1.5.0', product: {} } }),
      ...(at % 4500 === 4499 && { evidences: [{}, { file: { name: 'a' } }, { file: { name: 'b' } }] }),
    });
    const records = Array.from({ length: 11_000 }, (_, at) => named(`frames-${at}`, members(at)));
    const { bytes, offsets } = arrayFile(records);
    const { id, attributes, meta } = await client.ingest(bytes);
    assert.deepEqual([attributes.status, attributes.summary.invalid], ['completed', 0]);
    const { warnings, counts } = await warningsOf(id);
    assert.deepEqual(
      warnings.map(({ pointer, record_count, record_index, finding_uid, detail }) => [
        pointer,
        record_count,
        record_index,
        finding_uid,
        detail.slice(0, 8),
      ]),
      [
        ['/category_uid', 5500, 1, 'frames-1', 'OCSF 1.5'],
        ['/metadata/product/vendor_name', 1400, 4000, 'frames-4000', 'OCSF 1.3'],
        ['/evidences/*/file/type_id', 2, 4499, 'frames-4499', 'OCSF 1.5'],
      ],
    );
    for (const { code, byte_offset, record_index } of warnings)
      assert.deepEqual([code, byte_offset], [CODE, offsets[record_index ?? -1]]);
    assert.deepEqual(counts, { [CODE]: 6902 });
    assert.equal(meta.warnings, 6902);
  });

  itInWholeRun(
    'are described by the first record in the file, even if its frame is processed last',
    async () => {
      const version = (at: number) => ({ metadata: { version: at < 100 ? '1.4.0' : '1.5.0' } });
      const { bytes, offsets } = arrayFile(
        Array.from({ length: 6000 }, (_, at) =>
          named(`order-${at}`, { ...version(at), time: at % 3 === 2 ? null : 1 }),
        ),
      );
      const release = await holdPending(service);
      const { id } = (await client.upload(bytes)).body.data;
      const factsOf = async () =>
        (await warningsOf(id)).warnings.map(({ detail, ...facts }) => ({
          ...facts,
          version: detail.slice(0, 8),
        }));
      await service.ownerSql('update frame_queue set available_at = clock_timestamp() where number > 0');
      await service.ownerSql(`notify ${FRAMES_CHANNEL}`);
      await until(async () => (await factsOf()).length > 0);
      const fact = { code: CODE, pointer: '/time' };
      const later = {
        record_index: 5000,
        byte_offset: offsets[5000],
        finding_uid: 'order-5000',
        version: 'OCSF 1.5',
      };
      assert.deepEqual(await factsOf(), [{ ...fact, ...later, record_count: 334 }]);
      await release();
      await client.ended(id);
      const first = { record_index: 2, byte_offset: offsets[2], finding_uid: 'order-2', version: 'OCSF 1.4' };
      assert.deepEqual(await factsOf(), [{ ...fact, ...first, record_count: 2000 }]);
    },
  );

  it('are counted in addition to other warnings, whose limit does not apply to them', async () => {
    const unusual = { severity_id: 'severe', category_uid: null, type_uid: null, activity_id: null };
    const { id, meta } = await client.ingest(
      Array.from({ length: 10 }, (_, at) => named(`limit-${at}`, unusual)),
    );
    const { warnings, counts } = await warningsOf(id);
    assert.deepEqual(
      warnings.map(({ code, pointer, record_count }) => [code, pointer, record_count]),
      [
        ['invalid_value', '/severity_id', 1],
        [CODE, '/activity_id', 10],
        [CODE, '/category_uid', 10],
        [CODE, '/type_uid', 10],
        ['invalid_value', '/severity_id', 1],
        ['invalid_value', '/severity_id', 1],
      ],
    );
    assert.deepEqual(counts, { invalid_value: 10, [CODE]: 30 });
    assert.equal(meta.warnings, 40);
    const filtered = await client.get<Warning[]>(
      `/ingestions/${id}/warnings?filter[code]=${CODE}&page[size]=2`,
    );
    assert.deepEqual(
      filtered.body.data.map(({ attributes: { pointer } }) => pointer),
      ['/activity_id', '/category_uid'],
    );
    assert.equal(filtered.body.meta.pagination?.count, 3);
  });

  it('are counted only in ingested records, and once if the frame is processed again', async () => {
    await service.sql(`create function refuse() returns trigger language plpgsql as $$
      begin if new.uid = 'refused' then raise exception 'refused' using errcode = '22003'; end if; return new; end $$;
      create trigger refuse before insert on findings for each row execute function refuse()`);
    const incomplete = { category_uid: null };
    const { id, attributes } = await client.ingest([
      named('refused', incomplete),
      without('status_code', named('invalid', incomplete)),
      record({ class_uid: 2003, ...incomplete }),
      ...Array.from({ length: 20 }, (_, at) => named(`again-${at}`, incomplete)),
    ]);
    await service.sql('drop trigger refuse on findings');
    assert.equal(attributes.summary.invalid, 3);
    const { warnings, counts } = await warningsOf(id);
    assert.deepEqual(
      warnings.map(({ pointer, record_count, record_index }) => [pointer, record_count, record_index]),
      [['/category_uid', 20, 3]],
    );
    assert.deepEqual(counts, { [CODE]: 20 });
  });

  it('are found in records that are parsed in full, and only the version is reported if it is missing', async () => {
    const text = JSON.stringify(named('escaped', { category_uid: null })).replace(
      '"metadata"',
      '"meta\\u0064ata"',
    );
    const unknown = named('unknown', { metadata: { version: '2.0.0' }, category_uid: null });
    const versionless = without('metadata.version', named('versionless', { category_uid: null }));
    const { id } = await client.ingest(`[${text},${JSON.stringify(unknown)},${JSON.stringify(versionless)}]`);
    const { warnings } = await warningsOf(id);
    assert.deepEqual(
      warnings.map(({ pointer, record_count, record_index }) => [pointer, record_count, record_index]),
      [
        ['/category_uid', 1, 0],
        ['/metadata/version', 1, 2],
      ],
    );
  });

  itInWholeRun('cause no warnings if SLUICE_OCSF_CONFORMANCE is off', async () => {
    const settings = { SLUICE_OCSF_CONFORMANCE: 'off' };
    const unchecked = await sandbox.startService(settings, await sandbox.newDataDir());
    const other = createClient(unchecked.url, unchecked.key);
    const { id, meta } = await other.ingest([without('metadata.version', named('off'))]);
    assert.deepEqual(await warningsOf(id, other), { warnings: [], counts: {} });
    assert.equal(meta.warnings, 0);
  });
});
