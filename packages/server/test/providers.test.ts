import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient } from './support/client.ts';
import { joinService, type SharedService } from './support/lanes.ts';
import { record } from './support/records.ts';
import { createSecondTenant } from './support/second-tenant.ts';

interface Provider {
  readonly id: string;
  readonly type: string;
  readonly account: string;
  readonly findings: number;
}

describe('providers, the unit of billing', () => {
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

  it('are created once per account, however many parallel uploads bring it', async () => {
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

  it('are used again when the account comes again', async () => {
    await client.ingest([inAccount('again')]);
    const [first] = await list(/^again$/);
    await client.ingest([inAccount('again', 'finding-2')]);
    const [second, ...more] = await list(/^again$/);
    assert.deepEqual([second?.id, second?.findings, more], [first?.id, 2, []]);
  });

  it('are one per type and account, the type without regard to case', async () => {
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

  it('are not counted once deleted, and new when they come back, with findings that are new', async () => {
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

  it('of two tenants with the same account are two', async () => {
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

describe('the texts of checks', () => {
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

  it('are kept once for all findings of a check', async () => {
    await client.ingest([withTitle('First words', 1000), withTitle('First words', 1000, 'finding-2')]);
    assert.deepEqual(await titles(), [{ title: 'First words' }]);
  });

  it('are those of the newest record, whatever comes later', async () => {
    await client.ingest([withTitle('Newer words', 3000)]);
    await client.ingest([withTitle('Older words', 2000)]);
    assert.deepEqual(await titles(), [{ title: 'Newer words' }]);
  });
});
