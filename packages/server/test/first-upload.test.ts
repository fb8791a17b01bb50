import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient } from './support/client.ts';
import { type Service, startService } from './support/service.ts';

const SHARED_DATA = new URL('../../../../shared/data/', import.meta.url);

describe('real scanner files', () => {
  let service: Service;
  let client: Client;
  before(async () => {
    service = await startService();
    client = createClient(service.url, service.key);
  });
  after(() => service.remove());

  it('keeps all findings of the AWS scan', async () => {
    const job = await client.ingest(await readFile(new URL('scanner-output-aws.ocsf.json', SHARED_DATA)));
    assert.deepEqual(
      [job.attributes.status, job.attributes.summary],
      ['completed', { total: 5, processed: 5, invalid: 0 }],
    );
    assert.deepEqual(await service.sql('select count(*)::int from findings'), [{ count: 5 }]);
  });
});
