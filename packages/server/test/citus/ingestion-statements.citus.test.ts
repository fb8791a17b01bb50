import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createDistributedDatabase, getCitusSkipReason } from '../support/citus.ts';
import { createClient } from '../support/client.ts';
import { createTenantKey } from '../support/deployment.ts';
import { findDistributedStatements, isAboutAllTenants, recordingTo } from '../support/recorded-statements.ts';
import { record, without } from '../support/records.ts';
import { createSandbox } from '../support/sandbox.ts';
import type { Service } from '../support/service.ts';

const LATER = 1_780_000_100;
/** More than one frame. */
const MANY = 6000;

describe('ingestion into a distributed database', { skip: getCitusSkipReason() }, () => {
  const sandbox = createSandbox();
  let service: Service;
  let databaseUrl: string;
  let statements: string;
  before(async () => {
    databaseUrl = (await createDistributedDatabase()).url;
    const dataDir = await sandbox.newDataDir();
    statements = path.join(dataDir, 'statements');
    const settings = { SLUICE_WORKERS: '2', DATABASE_URL: databaseUrl };
    service = await sandbox.startService({ ...settings, ...recordingTo(statements) }, dataDir);
  });
  after(() => sandbox.clear());

  it('processes new, known, changed, older and unusable records', async () => {
    for (let tenant = 0; tenant < 3; tenant++) {
      const client = createClient(service.url, await createTenantKey({ sluiceJson }));
      const files = [
        [record(), { class_uid: 1 }, without('finding_info.uid'), without('resources')],
        [record({ time: LATER }), record({ time: LATER, resources: [{ uid: 'new' }, { uid: 'other' }] })],
        [record({ time: LATER + 1, status_code: 'PASS', severity_id: 1, severity: 'Informational' })],
        [record({ time: LATER - 50, finding_info: { uid: 'finding-1', title: 'An older title' } })],
        Array.from({ length: MANY }, (_, at) => record({ finding_info: { uid: `finding-${at}` } })),
        'no records',
      ];
      for (const file of files) await client.ingest(file);
      assert.equal((await client.get('/findings/summary')).status, 200);
    }
    assert.equal(service.output.stderr, '');
  });

  const sluiceJson = async <Result>(...args: string[]): Promise<Result> =>
    JSON.parse((await service.sluice(...args, '--json')).stdout);

  it('uses one node and one step for each statement of a tenant', async () => {
    const { count, found } = await findDistributedStatements(databaseUrl, statements);
    assert.deepEqual(
      found.filter(({ statement }) => !isAboutAllTenants(statement)),
      [],
    );
    assert.ok(count > 30, `only ${count} statements`);
  });
});
