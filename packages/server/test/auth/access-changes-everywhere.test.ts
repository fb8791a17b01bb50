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
  let firstApi: Service;
  let secondApi: Service;
  let client: Client;
  let tenant: string;
  before(async () => {
    const deployment = await createDeployment(sandbox);
    firstApi = await deployment.startApi();
    secondApi = await deployment.startApi();
    client = createClient(firstApi.url, await createTenantKey(firstApi));
    const [row] = await firstApi.sql<{ tenant_id: string }>('select tenant_id from tenants');
    tenant = row?.tenant_id ?? '';
  });
  after(() => sandbox.clear());

  // Requests reuse a connection, because a new connection could hide stale permissions.
  const secondStatus = async (key: string) =>
    (await createClient(secondApi.url, key).get('/ingestions')).status;

  it('rejects an API key in another process as soon as it is revoked through the API or with a command', async () => {
    const byApi = await makeKey(client, { name: 'revoked through the API' });
    const byCommand = await makeKey(client, { name: 'revoked by a command' });
    for (let time = 0; time < 3; time++)
      assert.deepEqual([await secondStatus(byApi.key), await secondStatus(byCommand.key)], [200, 200]);
    assert.equal((await client.delete(`/api-keys/${byApi.id}`)).status, 204);
    assert.equal(await secondStatus(byApi.key), 401);
    await firstApi.sluiceJson('api-key', 'revoke', '--tenant', tenant, byCommand.attributes.prefix);
    assert.equal(await secondStatus(byCommand.key), 401);
  });

  it("applies a change to a user's permissions to the next request in another process", async () => {
    const email = 'changing@example.com';
    const user = await createUser(firstApi, tenant, email);
    const { key } = await makeKey(client, { name: 'changing user' }, user.id);
    assert.equal(await secondStatus(key), 200);
    for (const [permissions, status] of [
      ['manage_scans', 403],
      ['manage_ingestions', 200],
    ] as const) {
      await firstApi.sluiceJson('user', 'set-permissions', '--tenant', tenant, '--email', email, permissions);
      assert.equal(await secondStatus(key), status);
    }
  });

  it('applies a subscription change to the next request in another process', async () => {
    const { key } = await makeKey(client, { name: 'subscriber' });
    assert.equal(await secondStatus(key), 200);
    for (const [subscription, status] of [
      ['none', 402],
      ['active', 200],
    ] as const) {
      await firstApi.sluiceJson('subscription', 'set', '--tenant', tenant, subscription);
      assert.equal(await secondStatus(key), status);
    }
  });

  it('completes an upload that another process accepted before the API key was revoked', async () => {
    const { id, key } = await makeKey(client, { name: 'revoked during an upload' });
    const { request, response, send } = openUpload({ ...secondApi, key }, { expect: '100-continue' });
    request.flushHeaders();
    await once(request, 'continue');
    await send(`${partHead(filePart(''))}[`);
    assert.equal((await client.delete(`/api-keys/${id}`)).status, 204);
    assert.equal(await secondStatus(key), 401);
    request.end(`${JSON.stringify(record())}]\r\n${CLOSING}`);
    assert.equal((await response).status, 202);
  });
});
