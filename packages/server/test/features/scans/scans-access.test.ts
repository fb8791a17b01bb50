import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient } from '../../support/client.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { createKey, createUser } from '../../support/operator.ts';
import { record } from '../../support/records.ts';
import { createSecondTenant, type SecondTenant } from '../../support/second-tenant.ts';
import { itRefusesQueries } from '../../support/wrong-queries.ts';

interface Scan {
  readonly id: string;
}

describe('access to scans and invalid scan queries', () => {
  let service: SharedService;
  let client: Client;
  let second: SecondTenant;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
    second = await createSecondTenant(service);
    await second.client.ingest([record()]);
  });
  after(() => service.leave());

  it('returns scans to an API key with only read_findings in a tenant without a subscription', async () => {
    await createUser(service, second.id, 'reader@example.com', 'read_findings');
    const reader = client.as(await createKey(service, second.id, 'reader@example.com'));
    await service.sluiceJson('subscription', 'set', '--tenant', second.id, 'none');
    const { status, body } = await reader.get<Scan[]>('/scans');
    assert.deepEqual([status, body.data.length], [200, 1]);
    assert.equal((await reader.get(`/scans/${body.data[0]?.id}`)).status, 200);
  });

  itRefusesQueries('/scans', () => client, [
    ['an unknown filter', 'filter[status]=FAIL', 'filter[status]'],
    ['an unsupported filter operator', 'filter[records__gte]=1', 'filter[records__gte]'],
    ['an upload ID that is not a UUID', 'filter[ingestion]=1', 'filter[ingestion]'],
    [
      'a list of provider IDs with an invalid UUID',
      `filter[provider__in]=${crypto.randomUUID()},x`,
      'filter[provider__in]',
    ],
    ['a nonexistent date', 'filter[inserted_at__lte]=2026-02-30', 'filter[inserted_at__lte]'],
    ['an unknown sort key', 'sort=uid', 'sort'],
    ['an unknown include value', 'include=findings', 'include'],
    ['an unknown field', 'fields[scans]=id', 'fields[scans]'],
    ['fields of another resource type', 'fields[findings]=uid', 'fields[findings]'],
    ['a cursor', 'page[after]=', 'page[after]'],
    ['an unknown parameter', 'limit=1', 'limit'],
  ]);

  it('returns 400 for list parameters in a request for a single scan and names the parameter', async () => {
    const { body } = await second.client.get<Scan[]>('/scans');
    for (const parameter of ['sort', 'page[size]', 'filter[uid]']) {
      const { status, body: error } = await second.client.get(`/scans/${body.data[0]?.id}?${parameter}=1`);
      assert.deepEqual([status, error.errors[0]?.source], [400, { parameter }]);
    }
  });

  it('returns 401 for scan requests with an invalid API key', async () => {
    for (const path of ['/scans', `/scans/${crypto.randomUUID()}`])
      assert.equal((await client.as('none').get(path)).status, 401);
  });

  it('logs no errors for valid or rejected scan requests', () => {
    assert.equal(service.output.stderr, '');
  });
});
