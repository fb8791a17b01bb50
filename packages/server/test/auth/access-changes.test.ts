import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createClient } from '../support/client.ts';
import { joinService, type SharedService } from '../support/lanes.ts';
import { createKey, createUser } from '../support/operator.ts';
import { createSecondTenant } from '../support/second-tenant.ts';

describe('access changes in one process', () => {
  let service: SharedService;
  const email = 'changing@example.com';
  const sluice = (...words: string[]) => service.sluiceJson(...words, '--tenant', service.tenantId);
  const set = (permissions: string) => sluice('user', 'set-permissions', '--email', email, permissions);
  const statusFor = async (key: string) => (await createClient(service.url, key).get('/ingestions')).status;
  let key: string;
  let restricted: string;
  before(async () => {
    service = await joinService();
    await createUser(service, service.tenantId, email);
    [key, restricted] = await Promise.all([
      createKey(service, service.tenantId, email, '--expires', '2127-01-31'),
      createKey(service, service.tenantId, email, '--permissions', 'manage_ingestions'),
    ]);
  });
  after(() => service.leave());

  it('applies a removed or restored user permission to the next request', async () => {
    assert.deepEqual([await statusFor(key), await statusFor(restricted)], [200, 200]);
    await set('manage_scans');
    assert.deepEqual([await statusFor(key), await statusFor(restricted)], [403, 403]);
    await set('manage_scans,manage_ingestions');
    assert.deepEqual([await statusFor(key), await statusFor(restricted)], [200, 200]);
  });

  it("applies a permission gained through a second role to the user's next request", async () => {
    await set('manage_scans');
    await service.sql(
      `with role as (insert into roles (tenant_id, id, name, permissions)
         values ($1, gen_random_uuid(), 'Ingestion', '{manage_ingestions,manage_scans}') returning *)
       insert into user_roles select u.tenant_id, u.id, role.id from role join users u using (tenant_id)
       where u.email = $2`,
      [service.tenantId, email],
    );
    assert.equal(await statusFor(key), 200);
  });

  it('applies a subscription change to the next request', async () => {
    const { id, client } = await createSecondTenant(service);
    for (const [subscription, status] of [
      ['none', 402],
      ['active', 200],
    ] as const) {
      await service.sluiceJson('subscription', 'set', '--tenant', id, subscription);
      assert.equal((await client.get('/ingestions')).status, status);
    }
  });

  it('rejects an API key on the first request after it expires', async () => {
    assert.equal(await statusFor(key), 200);
    const [prefix] = key.split('.');
    await service.sql(`update api_keys set expires_at = now() where prefix = $1`, [prefix]);
    assert.equal(await statusFor(key), 401);
  });

  it('rejects an API key on the first request after it is revoked', async () => {
    assert.equal(await statusFor(restricted), 200);
    await sluice('api-key', 'revoke', restricted.split('.')[0] ?? '');
    assert.equal(await statusFor(restricted), 401);
  });
});
