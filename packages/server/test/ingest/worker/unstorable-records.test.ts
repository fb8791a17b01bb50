import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { isolate } from '../../../src/ingest/worker/process-frame.ts';
import { type Client, createClient } from '../../support/client.ts';
import { isWholeRun } from '../../support/is-whole-run.ts';
import { record } from '../../support/records.ts';
import { createSandbox } from '../../support/sandbox.ts';
import type { Service } from '../../support/service.ts';
import { STORED_FINDINGS } from '../../support/stored-findings.ts';
import { assertTrueCounts } from '../../support/true-counts.ts';

// Uses a separate service, in which triggers make PostgreSQL reject records.
describe('records that PostgreSQL cannot store', () => {
  const sandbox = createSandbox();
  let service: Service;
  let client: Client;
  before(async () => {
    service = await sandbox.startService({ SLUICE_WORKERS: '1' });
    client = createClient(service.url, service.key);
  });
  after(() => sandbox.clear());
  beforeEach(() => service.sql('truncate findings, finding_totals, finding_total_changes, scans'));

  /** Returns records. The records at the given positions make the trigger fail. */
  const file = (records: number, invalid: readonly number[]) =>
    Array.from({ length: records }, (_, at) =>
      record(
        invalid.includes(at)
          ? { finding_info: { uid: `bad-${at}` }, status_detail: 'bad' }
          : { finding_info: { uid: `good-${at}` } },
      ),
    );
  const rejectRows = (table: string, condition: string, error: string) =>
    service.sql(`create or replace function refuse_${table}() returns trigger language plpgsql as $$
      begin if ${condition} then ${error} end if; return new; end $$;
      create or replace trigger refuse before insert on ${table} for each row execute function refuse_${table}()`);

  // The last file has two frames.
  const faults = [
    { description: 'a data exception', sqlstate: '22003', invalid: [0, 1, 99], total: 100 },
    { description: 'a constraint violation', sqlstate: '23514', invalid: [0], total: 2 },
    {
      description: 'an exceeded program limit',
      sqlstate: '54000',
      invalid: [0, 1, 2500, 4999, 5000, 5999],
      total: 6000,
    },
  ];
  for (const { description, sqlstate, invalid, total } of isWholeRun ? faults : faults.slice(0, 2)) {
    it(`rejects records that fail with ${description} and ingests all other records`, async () => {
      await rejectRows(
        'findings',
        `new.status_detail = 'bad'`,
        `raise exception 'refused' using errcode = '${sqlstate}';`,
      );
      const { id, attributes } = await client.ingest(file(total, invalid));
      assert.deepEqual(
        [attributes.status, attributes.summary],
        ['failed', { total, processed: total, invalid: invalid.length }],
      );
      const { errors, counts } = await client.errors(id);
      assert.deepEqual(counts, { processing_failed: invalid.length });
      assert.deepEqual(
        errors.map(({ code, record_index, finding_uid, detail }) => [
          code,
          record_index,
          finding_uid,
          detail,
        ]),
        invalid.map((at) => [
          'processing_failed',
          at,
          `bad-${at}`,
          `The database rejected the record: refused (SQLSTATE ${sqlstate}).`,
        ]),
      );
      const [stored] = await service.sql(
        `select count(*)::int, count(*) filter (where f.uid like $1)::int as invalid from ${STORED_FINDINGS} f`,
        ['bad-%'],
      );
      assert.deepEqual(stored, { count: total - invalid.length, invalid: 0 });
      const [scan] = await service.sql(
        'select records::int, (select sum(count)::int from unnest(change_counts) as count) as findings from scans',
      );
      assert.deepEqual(scan, { records: total - invalid.length, findings: total - invalid.length });
      await assertTrueCounts(service);
    });
  }

  it('finds unstorable records even if only the changes of counts cannot be stored', async () => {
    await rejectRows(
      'finding_total_changes',
      `exists (select from finding_facets where key = any (new.facet_keys) and service = 'bad')`,
      `raise exception 'refused' using errcode = '54000';`,
    );
    const resource = (name: string) => ({ resources: [{ uid: 'one', group: { name } }] });
    const { id } = await client.ingest([
      record({ finding_info: { uid: 'good' } }),
      record({ finding_info: { uid: 'bad' }, ...resource('bad') }),
    ]);
    const { errors } = await client.errors(id);
    assert.deepEqual(
      errors.map(({ record_index }) => record_index),
      [1],
    );
    assert.deepEqual(await service.sql(`select f.uid from ${STORED_FINDINGS} f`), [{ uid: 'good' }]);
    await service.sql('drop trigger refuse on finding_total_changes');
  });

  it('stores a record with a group name of 2,800 characters', async () => {
    await service.sql('drop trigger if exists refuse on findings');
    const total = 1000;
    const records = file(total, []);
    const name = randomBytes(1400).toString('hex');
    records[100] = record({ resources: [{ uid: 'one', group: { name } }] });
    const { id, attributes, meta } = await client.ingest(records);
    assert.deepEqual(
      [attributes.status, attributes.summary, meta.warnings],
      ['completed', { total, processed: total, invalid: 0 }, 1],
    );
    const { body } = await client.get<{ attributes: object }[]>(`/ingestions/${id}/warnings`);
    assert.deepEqual(body.meta.counts, { text_shortened: 1 });
    await assertTrueCounts(service);
  });
});

describe('isolating failing records', () => {
  it('finds each failing record with no more attempts than a bisection needs', async () => {
    for (const invalid of [[], [0], [7], [3, 4], [0, 511, 1023], [...Array(16).keys()]]) {
      let attempts = 0;
      const failing = await isolate(0, 1024, async (from, to) => {
        attempts++;
        return invalid.some((at) => at >= from && at < to) ? `${from} to ${to}` : undefined;
      });
      assert.deepEqual([...failing.keys()], invalid);
      assert.ok(attempts <= 1 + invalid.length * 20, `${attempts} attempts for ${invalid.length}`);
    }
  });

  it('finds no failing record if records fail only in combination', async () => {
    const failing = await isolate(0, 8, async (from, to) => (to - from > 2 ? 'too many' : undefined));
    assert.deepEqual([...failing], []);
  });
});
