import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Row } from '../../support/administration.ts';
import { type Client, createClient, DOCUMENT_TYPE } from '../../support/client.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { createKey, createUser } from '../../support/operator.ts';
import { record } from '../../support/records.ts';
import { assertRefused, type Refusal } from '../../support/refusal.ts';
import { createSecondTenant, type SecondTenant } from '../../support/second-tenant.ts';

interface Provider {
  readonly id: string;
  readonly attributes: { readonly account: string; readonly alias: string | null };
}

const UNKNOWN = '0198a000-0000-7000-8000-00000000abcd';
const inAccount = (uid: string, finding = 'finding-1') =>
  record({ cloud: { account: { uid } }, finding_info: { uid: finding } });

describe('changing providers', () => {
  let service: SharedService;
  let client: Client;
  let second: SecondTenant;
  let own: Provider;
  let foreign: Provider;
  /** The user has all permissions, but the key is restricted. */
  let restricted: Client;
  /** The key is unrestricted, but its user has no permission for providers. */
  let weak: Client;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
    second = await createSecondTenant(service);
    await client.ingest([inAccount('one')]);
    await second.client.ingest([inAccount('one')]);
    own = await only(client, 'one');
    foreign = await only(second.client, 'one');
    const { tenantId } = service;
    const onlyScans = ['--permissions', 'manage_scans,read_findings'];
    restricted = client.as(await createKey(service, tenantId, 'admin@localhost', ...onlyScans));
    await createUser(service, tenantId, 'weak@example.com', 'manage_scans,read_findings');
    weak = client.as(await createKey(service, tenantId, 'weak@example.com'));
  });
  after(() => service.leave());

  const listed = async (account: string, as = client) =>
    (await as.get<Provider[]>(`/providers?filter[account]=${account}`)).body.data;
  async function only(as: Client, account: string): Promise<Provider> {
    const [provider, ...others] = await listed(account, as);
    assert.ok(provider !== undefined && others.length === 0);
    return provider;
  }
  const patch = (id: string, body: unknown, as = client, type = DOCUMENT_TYPE) =>
    as.send<Provider>(`/providers/${id}`, {
      method: 'PATCH',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': type },
    });
  const document = (attributes: unknown, id = own.id, type = 'providers') => ({
    data: { type, id, attributes },
  });
  const setAlias = (alias: unknown) => patch(own.id, document({ alias }));
  const aliasOf = async (id: string) =>
    (await service.ownerSql('select alias from providers where id = $1', [id]))[0]?.alias;
  const audited = (id: string) =>
    service.ownerSql<Row>(
      `select a.action, a.target_type, a.changes, a.tenant_id, a.address, k.prefix, u.email
       from audit_events a
       join api_keys k on k.tenant_id = a.tenant_id and k.id = a.api_key_id
       join users u on u.tenant_id = a.tenant_id and u.id = a.user_id
       where a.target_id = $1 order by a.id`,
      [id],
    );
  const event = (action: string, changes: unknown) => ({
    action,
    changes,
    target_type: 'providers',
    tenant_id: service.tenantId,
    address: '127.0.0.1',
    prefix: service.key.split('.')[0],
    email: 'admin@localhost',
  });

  describe('aliases', () => {
    it('sets, replaces and removes a provider alias, and records an audit event for each change', async () => {
      for (const alias of ['Production', 'Production 💚', null]) {
        const { status, body } = await setAlias(alias);
        assert.deepEqual([status, body.data.id, body.data.attributes.alias], [200, own.id, alias]);
        assert.deepEqual(body.data, (await client.get<Provider>(`/providers/${own.id}`)).body.data);
        assert.equal(await aliasOf(own.id), alias);
      }
      assert.deepEqual(await audited(own.id), [
        event('provider.updated', { alias: 'Production' }),
        event('provider.updated', { alias: 'Production 💚' }),
        event('provider.updated', { alias: null }),
      ]);
    });

    it('records no audit event when the alias does not change', async () => {
      await setAlias('Same');
      const before = await audited(own.id);
      for (const attributes of [{}, { alias: 'Same' }]) {
        const { status, body } = await patch(own.id.toUpperCase(), document(attributes));
        assert.deepEqual([status, body.data.attributes.alias], [200, 'Same']);
      }
      assert.deepEqual(await audited(own.id), before);
    });

    it('accepts an alias that another provider uses', async () => {
      await client.ingest([inAccount('two')]);
      const two = await only(client, 'two');
      await setAlias('Twins');
      assert.equal((await patch(two.id, document({ alias: 'Twins' }, two.id))).status, 200);
      const { body } = await client.get<Provider[]>('/providers?filter[alias]=Twins');
      assert.deepEqual(new Set(body.data.map(({ id }) => id)), new Set([own.id, two.id]));
    });

    it('accepts an alias of 100 characters, including surrogate pairs', async () => {
      for (const alias of ['a', '💚'.repeat(100)]) {
        assert.equal((await setAlias(alias)).status, 200);
        assert.equal(await aliasOf(own.id), alias);
      }
    });

    const alias = '/data/attributes/alias';
    const invalidDocuments: readonly (readonly [string, () => unknown, string, number?])[] = [
      ['an empty alias', () => document({ alias: '' }), alias],
      ['a blank alias', () => document({ alias: '   ' }), alias],
      ['an alias of 101 characters', () => document({ alias: 'a'.repeat(101) }), alias],
      ['an alias with a line break', () => document({ alias: 'a\nb' }), alias],
      ['an alias with U+0000', () => document({ alias: 'a\0b' }), alias],
      ['an alias with a line separator', () => document({ alias: 'a\u2028b' }), alias],
      ['an alias with an unpaired surrogate', () => document({ alias: 'a\ud83d' }), alias],
      ['an alias that is not a string', () => document({ alias: 1 }), alias],
      ['an unknown attribute', () => document({ alias: 'a', name: 'b' }), '/data/attributes/name'],
      ['a read-only attribute', () => document({ account: 'b' }), '/data/attributes/account'],
      ['no attributes', () => ({ data: { type: 'providers', id: own.id } }), '/data/attributes'],
      ['an unknown member', () => ({ ...document({}), included: [] }), '/included'],
      ['no data', () => ({}), '/data'],
      ['an array instead of a resource', () => ({ data: [document({}).data] }), '/data'],
      ['an array instead of a document', () => [], ''],
      ['malformed JSON', () => '{"data":', ''],
      ['the ID of another provider', () => document({ alias: 'a' }, UNKNOWN), '/data/id', 409],
      ["another tenant's ID", () => document({ alias: 'a' }, foreign.id), '/data/id', 409],
      ['the wrong resource type', () => document({ alias: 'a' }, own.id, 'scans'), '/data/type', 409],
    ];
    for (const [label, body, pointer, status = 400] of invalidDocuments) {
      it(`rejects a provider change with ${label} and keeps the alias`, async () => {
        await setAlias('Before');
        const events = await audited(own.id);
        const response = await patch(own.id, body());
        const code = status === 409 ? 'conflict' : response.body.errors[0]?.code;
        assertRefused(response, { status, code: code ?? '', detail: /\S/, source: { pointer } });
        assert.match(code ?? '', /^(conflict|invalid_document|invalid_json)$/);
        assert.equal(await aliasOf(own.id), 'Before');
        assert.deepEqual(await audited(own.id), events);
      });
    }

    it('rejects an alias sent with an unsupported media type', async () => {
      const response = await patch(own.id, document({ alias: 'a' }), client, 'application/json');
      assertRefused(response, {
        status: 415,
        code: 'unsupported_media_type',
        detail: /vnd\.api\+json/,
        source: { header: 'Content-Type' },
      });
    });
  });

  const notFound: Refusal = { status: 404, code: 'not_found', detail: /^No provider has this ID\.$/ };
  const keyRestricted: Refusal = {
    status: 401,
    code: 'invalid_api_key',
    detail: /manage_providers/,
    source: { header: 'Authorization' },
  };
  const denied: Refusal = { status: 403, code: 'permission_denied', detail: /manage_providers/ };
  const remove = (id: string, as = client) => as.delete(`/providers/${id}`);

  it('changes or deletes a provider only if both the API key and its user have manage_providers', async () => {
    for (const [as, refusal] of [
      [restricted, keyRestricted],
      [weak, denied],
    ] as const) {
      assertRefused(await patch(own.id, document({ alias: 'Not me' }), as), refusal);
      assertRefused(await remove(own.id, as), refusal);
      assert.equal((await as.get(`/providers/${own.id}`)).status, 200);
    }
    assert.notEqual(await aliasOf(own.id), 'Not me');
  });

  it('returns the same 404 for a provider that is unknown, deleted or from another tenant', async () => {
    await client.ingest([inAccount('three')]);
    const three = await only(client, 'three');
    assert.equal((await remove(three.id)).status, 204);
    for (const id of ['nothing', UNKNOWN, foreign.id, three.id]) {
      assertRefused(await patch(id, document({ alias: 'Not here' }, id)), notFound);
      assertRefused(await remove(id), notFound);
    }
    assert.equal(await aliasOf(foreign.id), null);
    assert.equal((await only(second.client, 'one')).id, foreign.id);
    assert.equal((await audited(three.id)).length, 1);
    assert.deepEqual(await audited(foreign.id), []);
  });

  it('deletes a provider only once for concurrent requests, and records one audit event', async () => {
    await client.ingest([inAccount('four')]);
    const { id } = await only(client, 'four');
    const responses = await Promise.all(Array.from({ length: 5 }, () => remove(id)));
    const refused = responses.filter(({ status }) => status !== 204);
    assert.equal(refused.length, 4);
    for (const response of refused) assertRefused(response, notFound);
    assert.deepEqual(await audited(id), [event('provider.deleted', { type: 'aws', account: 'four' })]);
    assert.deepEqual(await listed('four'), []);
  });
});
