import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { makeKey } from '../support/access-resources.ts';
import { type Client, createClient } from '../support/client.ts';
import { createDeployment, createTenantKey } from '../support/deployment.ts';
import { CLOSING, filePart, partHead } from '../support/multipart.ts';
import { openUpload } from '../support/open-request.ts';
import { createUser } from '../support/operator.ts';
import { record } from '../support/records.ts';
import { createSandbox } from '../support/sandbox.ts';
import type { Service } from '../support/service.ts';

describe('access changes across processes', () => {
  const sandbox = createSandbox();
  let here: Service;
  let there: Service;
  let client: Client;
  let tenant: string;
  before(async () => {
    const deployment = await createDeployment(sandbox);
    here = await deployment.startApi();
    there = await deployment.startApi();
    client = createClient(here.url, await createTenantKey(here));
    const [row] = await here.sql<{ tenant_id: string }>('select tenant_id from tenants');
    tenant = row?.tenant_id ?? '';
  });
  after(() => sandbox.clear());

  // Connections are persistent, because a new one could hide stale permissions.
  const thereAs = async (key: string) => (await createClient(there.url, key).get('/ingestions')).status;

  it('rejects a key in another process as soon as it is revoked with the API or the command line', async () => {
    const byApi = await makeKey(client, { name: 'revoked with the API' });
    const byCommand = await makeKey(client, { name: 'revoked on the command line' });
    for (let time = 0; time < 3; time++)
      assert.deepEqual([await thereAs(byApi.key), await thereAs(byCommand.key)], [200, 200]);
    assert.equal((await client.delete(`/api-keys/${byApi.id}`)).status, 204);
    assert.equal(await thereAs(byApi.key), 401);
    await here.sluiceJson('api-key', 'revoke', '--tenant', tenant, byCommand.attributes.prefix);
    assert.equal(await thereAs(byCommand.key), 401);
  });

  it('applies changed user permissions to the next request in another process', async () => {
    const email = 'changing@example.com';
    const user = await createUser(here, tenant, email);
    const { key } = await makeKey(client, { name: 'changing user' }, user.id);
    assert.equal(await thereAs(key), 200);
    for (const [permissions, status] of [
      ['manage_scans', 403],
      ['manage_ingestions', 200],
    ] as const) {
      await here.sluiceJson('user', 'set-permissions', '--tenant', tenant, '--email', email, permissions);
      assert.equal(await thereAs(key), status);
    }
  });

  it('applies subscription changes to the next request in another process', async () => {
    const { key } = await makeKey(client, { name: 'subscriber' });
    assert.equal(await thereAs(key), 200);
    for (const [subscription, status] of [
      ['none', 402],
      ['active', 200],
    ] as const) {
      await here.sluiceJson('subscription', 'set', '--tenant', tenant, subscription);
      assert.equal(await thereAs(key), status);
    }
  });

  it('completes an upload that another process accepted before its key was revoked', async () => {
    const { id, key } = await makeKey(client, { name: 'revoked during an upload' });
    const { request, response: answer, send } = openUpload({ ...there, key }, { expect: '100-continue' });
    request.flushHeaders();
    await once(request, 'continue');
    await send(`${partHead(filePart(''))}[`);
    assert.equal((await client.delete(`/api-keys/${id}`)).status, 204);
    assert.equal(await thereAs(key), 401);
    request.end(`${JSON.stringify(record())}]\r\n${CLOSING}`);
    assert.equal((await answer).status, 202);
  });
});
