import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient } from '../../support/client.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { record } from '../../support/records.ts';
import { createSecondTenant } from '../../support/second-tenant.ts';

interface Provider {
  readonly id: string;
  readonly type: string;
  readonly account: string;
  readonly findings: number;
}

describe('providers as billing units', () => {
  let service: SharedService;
  let client: Client;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
  });
  after(() => service.leave());

  const inAccount = (uid: string, finding = 'finding-1') =>
    record({ cloud: { account: { uid } }, finding_info: { uid: finding } });
  const list = (account: RegExp): Promise<Provider[]> =>
    service
      .sluiceJson<Provider[]>('provider', 'list', '--tenant', service.tenantId)
      .then((providers) => providers.filter((provider) => account.test(provider.account)));

  it('creates one provider per account for concurrent uploads', async () => {
    const accounts = Array.from({ length: 20 }, (_, at) => `parallel-${at}`);
    const uploads = Array.from({ length: 12 }, (_, upload) =>
      client.ingest(accounts.map((account) => inAccount(account, `finding-${upload}`))),
    );
    const jobs = await Promise.all(uploads);
    assert.deepEqual(new Set(jobs.map(({ attributes }) => attributes.status)), new Set(['completed']));
    const providers = await list(/^parallel-/);
    assert.deepEqual(providers.map(({ account }) => account).sort(), accounts.sort());
    assert.deepEqual(new Set(providers.map(({ findings }) => findings)), new Set([12]));
  });

  it('reuses the provider for a known account', async () => {
    await client.ingest([inAccount('again')]);
    const [first] = await list(/^again$/);
    await client.ingest([inAccount('again', 'finding-2')]);
    const [second, ...more] = await list(/^again$/);
    assert.deepEqual([second?.id, second?.findings, more], [first?.id, 2, []]);
  });

  it('creates one provider per type and account, regardless of letter case in the type', async () => {
    await client.ingest([
      record({ cloud: { provider: 'AWS', account: { uid: 'typed' } } }),
      record({ cloud: { provider: 'aws', account: { uid: 'typed' } } }),
      record({ cloud: { provider: 'azure', account: { uid: 'typed' } } }),
    ]);
    assert.deepEqual(
      (await list(/^typed$/)).map(({ type }) => type),
      ['aws', 'azure'],
    );
  });

  it('creates one provider for all spellings of an account, and finds it by each spelling', async () => {
    const [lower, upper] = ['ab12cd34-0000-4000-8000-0123456789ab', 'AB12CD34-0000-4000-8000-0123456789AB'];
    const inAzure = (uid: string, finding: string) =>
      record({ cloud: { provider: 'Azure', account: { uid } }, finding_info: { uid: finding } });
    await client.ingest([inAzure(lower, '1'), inAzure(upper, '2'), inAzure(`\u200b${upper}\u00a0`, '3')]);
    await client.ingest([inAccount('caf\u00e9', '1'), inAccount('cafe\u0301', '2')]);
    const providers = await list(/^ab12|^caf/i);
    assert.deepEqual(
      providers.map(({ type, account, findings }) => [type, account, findings]),
      [
        ['aws', 'caf\u00e9', 2],
        ['azure', lower, 3],
      ],
    );
    for (const [type, account, count] of [
      ['AZURE', upper, 3],
      ['azure', lower, 3],
      ['aws', 'cafe\u0301', 2],
    ] as const) {
      const filters = `filter[provider_type]=${type}&filter[account]=${encodeURIComponent(account)}`;
      for (const list of ['findings', 'scans']) {
        const { body } = await client.get(`/${list}?${filters}`);
        assert.equal(body.meta.pagination.count, list === 'findings' ? count : 1, `${list} of ${account}`);
      }
      const { body } = await client.get(`/providers?filter[account__in]=x,${encodeURIComponent(account)}`);
      assert.equal(body.meta.pagination.count, 1);
    }
  });

  it('does not count a deleted provider, and creates a new provider with new findings when the account is uploaded again', async () => {
    await client.ingest([inAccount('deleted')]);
    await client.ingest([inAccount('deleted')]);
    const [provider] = await list(/^deleted$/);
    await service.sluiceJson('provider', 'delete', '--tenant', service.tenantId, provider?.id ?? '');
    assert.deepEqual(await list(/^deleted$/), []);

    await client.ingest([inAccount('deleted')]);
    const [back] = await list(/^deleted$/);
    assert.notEqual(back?.id, provider?.id);
    assert.equal(back?.findings, 1);
    const states = await service.sql('select delta::text from findings where provider_id = $1', [back?.id]);
    assert.deepEqual(states, [{ delta: 'new' }]);
  });

  it('creates a separate provider for each tenant that uploads the same account', async () => {
    const second = await createSecondTenant(service);
    await client.ingest([inAccount('shared')]);
    await second.client.ingest([inAccount('shared')]);
    const rows = await service.ownerSql(
      "select tenant_id from providers where account = 'shared' and tenant_id = any($1)",
      [[service.tenantId, second.id]],
    );
    assert.deepEqual(new Set(rows.map(({ tenant_id }) => tenant_id)), new Set([service.tenantId, second.id]));
  });
});

describe('stored check titles', () => {
  let service: SharedService;
  let client: Client;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
  });
  after(() => service.leave());

  const withTitle = (title: string, time: number, uid = 'finding-1') =>
    record({ time, finding_info: { title, uid }, metadata: { event_code: 'texts' } });
  const titles = () => service.sql("select title from checks where check_id = 'texts'");

  it('stores a check title once for all findings of the check', async () => {
    await client.ingest([withTitle('First words', 1000), withTitle('First words', 1000, 'finding-2')]);
    assert.deepEqual(await titles(), [{ title: 'First words' }]);
  });

  it('keeps the check title from the newest record, regardless of the processing order', async () => {
    await client.ingest([withTitle('Newer words', 3000)]);
    await client.ingest([withTitle('Older words', 2000)]);
    assert.deepEqual(await titles(), [{ title: 'Newer words' }]);
  });
});
