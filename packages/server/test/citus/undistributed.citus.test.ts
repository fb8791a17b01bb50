import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type CitusDatabase, createCitusDatabase, getCitusSkipReason } from '../support/citus.ts';
import { createClient } from '../support/client.ts';
import { createKey, createUser } from '../support/operator.ts';
import { record } from '../support/records.ts';
import { createSandbox } from '../support/sandbox.ts';

describe('a Citus database that is not distributed', { skip: getCitusSkipReason() }, () => {
  const sandbox = createSandbox();
  let citus: CitusDatabase;
  before(async () => {
    citus = await createCitusDatabase();
  });
  after(async () => {
    await sandbox.clear();
    await citus.remove();
  });

  it('is migrated by the service, which ingests an upload and returns its findings', async () => {
    const service = await sandbox.startService({ DATABASE_URL: citus.url, SLUICE_WORKERS: '1' });
    const tenant = await service.sluiceJson<{ id: string }>('tenant', 'create', 'Acme');
    await createUser(service, tenant.id, 'ada@example.com');
    const client = createClient(service.url, await createKey(service, tenant.id, 'ada@example.com'));
    const job = await client.ingest([record()]);
    const { status, summary } = job.attributes;
    assert.deepEqual(
      [status, summary.processed, summary.invalid],
      ['completed', 1, 0],
      service.output.stderr,
    );
    const { body } = await client.get<readonly { attributes: { uid: string } }[]>('/findings');
    assert.deepEqual(
      body.data.map(({ attributes }) => attributes.uid),
      ['finding-1'],
    );
  });
});
