import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { createKey, createUser } from '../../support/operator.ts';
import { assertRefused } from '../../support/refusal.ts';
import { type ProductAccess, productAccess, seen } from '../../support/reported-products.ts';
import { createSecondTenant } from '../../support/second-tenant.ts';

const UNKNOWN = '0198a000-0000-7000-8000-00000000abcd';

describe('a request to resolve the findings of a product', () => {
  const account = 'refused';
  let service: SharedService;
  let products: ProductAccess;
  let id: string;
  let foreign: string;
  let foreignTenant: string;
  before(async () => {
    service = await joinService();
    products = productAccess(service);
    await products.client.ingest([seen({ account }), seen({ account: 'deleted' })]);
    id = await products.idOf(account);
    const second = await createSecondTenant(service);
    foreignTenant = second.id;
    await second.client.ingest([seen({ account, product: 'Foreign' })]);
    foreign = (await products.listed(account, second.client)).id;
  });
  after(async () => {
    // Other files that use the service have rows, too.
    const tenants = [[service.tenantId, foreignTenant]];
    for (const requested of ['coverages where is_manual and', 'frame_queue where'])
      assert.deepEqual(
        await service.ownerSql(`select from ${requested} tenant_id = any($1::uuid[])`, tenants),
        [],
      );
    assert.deepEqual(await products.states(account), { 'a-Old': 'open' });
    assert.deepEqual(await products.audited(id), []);
    await service.leave();
  });

  it('resolving findings is rejected without the permission manage_providers', async () => {
    const detail = /manage_providers/;
    const { tenantId } = service;
    await createUser(service, tenantId, 'reader@example.com', 'manage_scans,read_findings');
    const weak = await createKey(service, tenantId, 'reader@example.com');
    const refusal = { status: 403, code: 'permission_denied', detail };
    assertRefused(await products.resolve(id, 'Old', { as: products.client.as(weak) }), refusal);
    const restricted = await createKey(service, tenantId, 'admin@localhost', '--permissions', 'manage_scans');
    assertRefused(await products.resolve(id, 'Old', { as: products.client.as(restricted) }), {
      status: 401,
      code: 'invalid_api_key',
      detail,
      source: { header: 'Authorization' },
    });
  });

  it('resolving findings is rejected for a provider that is unknown, deleted or from another tenant', async () => {
    const deleted = await products.idOf('deleted');
    assert.equal((await products.client.delete(`/providers/${deleted}`)).status, 204);
    for (const unknown of ['nothing', UNKNOWN, deleted, foreign])
      assertRefused(await products.resolve(unknown, 'Old'), {
        status: 404,
        code: 'not_found',
        detail: /^No provider has this ID\.$/,
      });
    for (const unknown of [UNKNOWN, deleted, foreign])
      for (const command of ['products', 'resolve'])
        await assert.rejects(
          service.sluiceJson(
            'provider',
            command,
            unknown,
            '--tenant',
            service.tenantId,
            ...(command === 'resolve' ? ['--product', 'Old', '--yes'] : []),
          ),
          new RegExp(`the tenant has no provider ${unknown}`),
        );
  });

  it('resolving findings is rejected for a product that has not reported findings of the provider', async () => {
    for (const product of ['old', ' Old', 'Foreign', 'Old\0', ''])
      assertRefused(await products.resolve(id, product), {
        status: 404,
        code: 'not_found',
        detail: /^No product with this name has reported findings of the provider\.$/,
        source: { pointer: '/data/attributes/product' },
      });
    for (const confirmed of [[], ['--yes']])
      await assert.rejects(
        service.sluiceJson(
          'provider',
          'resolve',
          id,
          '--tenant',
          service.tenantId,
          '--product',
          'old',
          ...confirmed,
        ),
        /the provider has no product 'old'; list its products with: sluice provider products /,
      );
  });

  for (const product of [1, null, undefined, ['Old']])
    it(`resolving findings is rejected with the product ${JSON.stringify(product)}`, async () => {
      assertRefused(await products.resolve(id, product), {
        status: 400,
        code: 'invalid_document',
        detail: /\S/,
        source: { pointer: '/data/attributes/product' },
      });
    });

  it('resolving findings is rejected if its document has the ID of another provider', async () => {
    assertRefused(await products.resolve(foreign, 'Old', { path: id }), {
      status: 409,
      code: 'conflict',
      detail: /\S/,
      source: { pointer: '/data/id' },
    });
  });
});
