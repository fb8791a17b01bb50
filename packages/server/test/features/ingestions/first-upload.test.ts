import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient, type Ingestion } from '../../support/client.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { STORED_FINDINGS } from '../../support/stored-findings.ts';

/** Real scanner output, which is not part of the repository. */
const SCANNER_OUTPUTS = new URL('../../../../../../shared/data/', import.meta.url);
const skip = existsSync(SCANNER_OUTPUTS) ? false : 'the real scanner output is not available';

describe('uploads of real scanner output', { skip }, () => {
  let service: SharedService;
  let client: Client;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
  });
  after(() => service.leave());

  const read = (name: string) => readFile(new URL(`scanner-output-${name}.ocsf.json`, SCANNER_OUTPUTS));

  it('ingests all findings of a real AWS scan', async () => {
    const job = await client.ingest(await read('aws'));
    assert.deepEqual(
      [job.attributes.status, job.attributes.summary],
      ['completed', { total: 5, processed: 5, invalid: 0 }],
    );
    const findings = await service.sql(
      `select f.check_id, f.status::text, f.severity from ${STORED_FINDINGS} f
       where f.resource_type is not null order by f.check_id limit 2`,
    );
    assert.deepEqual(findings, [
      { check_id: 'accessanalyzer_enabled', status: 'FAIL', severity: 2 },
      { check_id: 'account_maintain_current_contact_details', status: 'MANUAL', severity: 3 },
    ]);
    assert.deepEqual(await service.sql('select count(*)::int from findings'), [{ count: 5 }]);
  });

  it('reports one error per record for a Kubernetes scan without a provider and account', async () => {
    const job = await client.ingest(await read('kubernetes'));
    assert.deepEqual(
      [job.attributes.status, job.attributes.summary],
      ['failed', { total: 6, processed: 6, invalid: 6 }],
    );
    const { errors, counts } = await client.errors(job.id);
    assert.deepEqual(counts, { required: 6 });
    assert.deepEqual(
      errors.map(({ record_index }) => record_index),
      [0, 1, 2, 3, 4, 5],
    );
    assert.deepEqual(new Set(errors.map(({ pointer }) => pointer)), new Set(['/cloud/provider']));
  });

  it('ingests a Kubernetes scan if the upload specifies the provider and account', async () => {
    const parts = { provider: 'kubernetes', account: 'cluster-1' };
    const job = await client.ingest(await read('kubernetes'), { parts });
    assert.deepEqual(
      [job.attributes.status, job.attributes.summary],
      ['completed', { total: 6, processed: 6, invalid: 0 }],
    );
    const rows = await service.sql(
      `select count(*)::int from findings f
       join providers p on p.tenant_id = f.tenant_id and p.id = f.provider_id where p.account = 'cluster-1'`,
    );
    assert.deepEqual(rows, [{ count: 6 }]);
  });

  it('ingests the stored file of a Kubernetes scan again with a provider and an account', async () => {
    const original = await client.ingest(await read('kubernetes'));
    const { body } = await client.document<Ingestion>('POST', `/ingestions/${original.id}/retry`, {
      type: 'ingestions',
      attributes: { provider: 'kubernetes', account: 'cluster-2' },
    });
    const job = await client.ended(body.data.id);
    assert.deepEqual(
      [job.attributes.status, job.attributes.summary],
      ['completed', { total: 6, processed: 6, invalid: 0 }],
    );
    const rows = await service.sql(
      `select count(*)::int from findings f
       join providers p on p.tenant_id = f.tenant_id and p.id = f.provider_id where p.account = 'cluster-2'`,
    );
    assert.deepEqual(rows, [{ count: 6 }]);
  });
});
