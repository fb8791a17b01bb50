import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Database } from '../../src/db/connect.ts';
import { createFirstTenant } from '../../src/process/first-start.ts';
import { withPool } from '../support/administration.ts';
import { createDistributedDatabase, getCitusSkipReason } from '../support/citus.ts';
import { createClient, type Resource } from '../support/client.ts';
import { findDistributedStatements, isAboutAllTenants, recordingTo } from '../support/recorded-statements.ts';
import { record, without } from '../support/records.ts';
import { createSandbox } from '../support/sandbox.ts';
import type { Service } from '../support/service.ts';
import { until } from '../support/until.ts';

const LATER = 1_780_000_100;
const ofProduct = (uid: string, time: number) =>
  record({ time, metadata: { event_code: 'check', product: { name: 'Scanner' } }, finding_info: { uid } });
/** More than one frame. */
const MANY = 6000;

describe('ingestion into a distributed database', { skip: getCitusSkipReason() }, () => {
  const sandbox = createSandbox();
  let service: Service;
  let database: Database;
  let statements: string;
  before(async () => {
    database = await createDistributedDatabase();
    const dataDir = await sandbox.newDataDir();
    statements = path.join(dataDir, 'statements');
    const settings = { SLUICE_WORKERS: '2', DATABASE_URL: database.url };
    service = await sandbox.startService({ ...settings, ...recordingTo(statements) }, dataDir);
  });
  after(() => sandbox.clear());

  it('ingests new, known, changed, older and unusable records into a distributed database', async () => {
    for (let tenant = 0; tenant < 3; tenant++) {
      const { key } = await withPool(database, createFirstTenant);
      const client = createClient(service.url, key);
      const files = [
        [record(), { class_uid: 1 }, without('finding_info.uid'), without('resources')],
        [record({ time: LATER }), record({ time: LATER, resources: [{ uid: 'new' }, { uid: 'other' }] })],
        [record({ time: LATER + 1, status_code: 'PASS', severity_id: 1, severity: 'Informational' })],
        [record({ time: LATER - 50, finding_info: { uid: 'finding-1', title: 'An older title' } })],
        'no records',
      ];
      for (const file of files) await client.ingest(file);
      const many = await client.ingest(
        Array.from({ length: MANY }, (_, at) =>
          record({ finding_info: { uid: `finding-${at}` }, ...(at % 2 === 1 && { activity_id: null }) }),
        ),
      );
      const warnings = await client.get<Resource[]>(`/ingestions/${many.id}/warnings`);
      assert.deepEqual(
        warnings.body.data.map(({ attributes: { pointer, record_count, record_index } }) => [
          pointer,
          record_count,
          record_index,
        ]),
        [['/activity_id', MANY / 2, 1]],
      );
      for (const coverage of ['account', 'checks'])
        await client.ingest([ofProduct(coverage, LATER + 2)], { parts: { coverage } });
      // Resolved at once, because the uploads with coverage are newer.
      await client.ingest([ofProduct('late', LATER)]);
      const { body } = await client.get<Resource[]>('/providers');
      const data = { type: 'providers', id: body.data[0]?.id, attributes: { product: 'Scanner' } };
      assert.equal((await client.document('POST', `/providers/${data.id}/resolve`, data)).status, 202);
      await until(async () => {
        const open = await client.get<Resource[]>('/findings?filter[product]=Scanner');
        return open.body.meta.pagination.count === 0;
      });
      assert.equal((await client.get('/findings/summary')).status, 200);
    }
    assert.equal(service.output.stderr, '');
  });

  it('ingests with statements that each use one node and one step', async () => {
    const { count, found } = await findDistributedStatements(database.url, statements);
    assert.deepEqual(
      found.filter(({ statement }) => !isAboutAllTenants(statement)),
      [],
    );
    assert.ok(count > 30, `only ${count} statements`);
  });
});
