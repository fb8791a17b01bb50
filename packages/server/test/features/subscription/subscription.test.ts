import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient } from '../../support/client.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { createKey } from '../../support/operator.ts';
import { record } from '../../support/records.ts';
import { assertRefused } from '../../support/refusal.ts';
import { createSecondTenant, type SecondTenant } from '../../support/second-tenant.ts';

interface Subscription {
  readonly id: string;
  readonly attributes: Record<string, unknown>;
}

describe('the subscription', () => {
  let service: SharedService;
  let client: Client;
  let second: SecondTenant;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
    second = await createSecondTenant(service);
  });
  after(() => service.leave());

  const inAccount = (provider: string, uid: string) => record({ cloud: { provider, account: { uid } } });
  const get = async (as = client, query = '') => {
    const { status, body } = await as.get<Subscription>(`/subscription?${query}`);
    assert.equal(status, 200);
    return body.data;
  };

  it('returns a subscription without providers for a tenant without uploads', async () => {
    assert.deepEqual(await get(), {
      type: 'subscriptions',
      id: service.tenantId,
      attributes: { state: 'active', providers: 0, providers_by_type: [] },
      links: { self: `${service.url}/api/v1/subscription` },
    });
  });

  it('counts accounts per provider type in the subscription, and ignores deleted providers', async () => {
    const file = ['1', '2'].map((uid) => inAccount('github', uid));
    await client.ingest([...file, inAccount('aws', '1'), inAccount('aws', '1')]);
    await second.client.ingest([inAccount('azure', '1')]);
    const types = async () => (await get()).attributes.providers_by_type;
    assert.deepEqual(await types(), [
      { type: 'aws', providers: 1 },
      { type: 'github', providers: 2 },
    ]);
    assert.equal((await get()).attributes.providers, 3);
    const [provider] = await service.sql(
      `select id from providers where type = 'github' and account = '1' and deleted_at is null`,
    );
    await service.sluiceJson('provider', 'delete', '--tenant', service.tenantId, String(provider?.id));
    assert.deepEqual(await types(), [
      { type: 'aws', providers: 1 },
      { type: 'github', providers: 1 },
    ]);
    await client.ingest(file);
    assert.equal((await get()).attributes.providers, 3);
    assert.deepEqual((await get(second.client)).attributes, {
      state: 'active',
      providers: 1,
      providers_by_type: [{ type: 'azure', providers: 1 }],
    });
  });

  it("returns the subscription state 'none' to an API key with a single unrelated permission", async () => {
    await service.sluiceJson('subscription', 'set', '--tenant', second.id, 'none');
    const key = await createKey(service, second.id, 'second@example.com', '--permissions', 'manage_scans');
    const { id, attributes } = await get(client.as(key), 'fields[subscriptions]=state');
    assert.deepEqual([id, attributes], [second.id, { state: 'none' }]);
  });

  it('rejects unknown subscription parameters with 400 and an unknown API key with 401', async () => {
    for (const [query, parameter] of [
      ['filter[state]=active', 'filter[state]'],
      ['fields[subscriptions]=plan', 'fields[subscriptions]'],
      ['sort=state', 'sort'],
      ['page[size]=1', 'page[size]'],
    ] as const) {
      const response = await client.get(`/subscription?${query}`);
      assertRefused(response, {
        status: 400,
        code: 'invalid_parameter',
        detail: /\S/,
        source: { parameter },
      });
    }
    assert.equal((await client.as('sk_none.none').get('/subscription')).status, 401);
  });
});
