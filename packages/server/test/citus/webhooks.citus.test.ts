import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type CitusDatabase, createCitusDatabase, getCitusSkipReason, onNode } from '../support/citus.ts';
import { type Client, createClient } from '../support/client.ts';
import { createKey, createUser, type Operator } from '../support/operator.ts';
import { findDistributedStatements, recordingTo } from '../support/recorded-statements.ts';
import { record } from '../support/records.ts';
import { createSandbox } from '../support/sandbox.ts';
import { until } from '../support/until.ts';
import {
  deliveryWith,
  listDeliveries,
  makeWebhook,
  patchWebhook,
  post,
  readWebhook,
  startReceiver,
  verified,
  type WebhookReceiver,
  withStatus,
} from '../support/webhook-receiver.ts';

describe('webhooks in a distributed database', { skip: getCitusSkipReason() }, () => {
  const sandbox = createSandbox();
  let citus: CitusDatabase;
  let settings: Record<string, string>;
  let receiver: WebhookReceiver;
  let statements: string;
  let tenants: readonly { readonly id: string; readonly client: Client }[];
  before(async () => {
    citus = await createCitusDatabase();
    receiver = await startReceiver();
    statements = path.join(await sandbox.newDataDir(), 'statements');
    settings = {
      DATABASE_URL: citus.ownerUrl,
      SLUICE_WORKERS: '1',
      SLUICE_WEBHOOKS_ALLOW_PRIVATE_ADDRESSES: 'true',
    };
    await operator.sluiceJson('migrate', '--distribute', '--shards', '4');
    const service = await sandbox.startService({ ...settings, ...recordingTo(statements) });
    const createTenant = async (name: string) => {
      const { id } = await operator.sluiceJson<{ id: string }>('tenant', 'create', name);
      await createUser(operator, id, 'ada@example.com');
      const key = await createKey(operator, id, 'ada@example.com');
      return { id, client: createClient(service.url, key) };
    };
    tenants = [await createTenant('Acme'), await createTenant('Umbrella')];
  });
  after(async () => {
    await sandbox.clear();
    await receiver?.close();
    await citus?.remove();
  });

  const operator: Operator = {
    sluiceJson: async (...args) => {
      const { code, stdout, stderr } = await sandbox.sluice(
        await sandbox.newDataDir(),
        [...args, '--json'],
        settings,
      );
      assert.equal(code, 0, stderr);
      return JSON.parse(stdout);
    },
  };
  const queue = () => onNode<{ id: string }>(citus.url, 'select delivery_id as id from sluice.webhook_queue');
  const delivered = async (client: Client, id: string, count: number) => {
    await until(async () => (await listDeliveries(client, id, 'filter[status]=delivered')).length === count);
    await until(async () => (await queue()).length === 0);
  };
  const requestsOf = (webhook: string) =>
    receiver.requests.filter((request) => request.path === `/${webhook}`);

  it('delivers the events of each tenant, retries, and disables webhooks', async () => {
    for (const [at, { client }] of tenants.entries()) {
      const { id, secret } = await makeWebhook(client, { url: `${receiver.url}/${at}` });
      await client.ingest([record()], { parts: { coverage: 'checks' } });
      await client.ingest([record({ time: 1_790_000_000 }), { class_uid: 1 }]);
      await delivered(client, id, 3);
      const types = requestsOf(String(at)).map((request) => {
        assert.deepEqual(verified(request, secret), JSON.parse(request.body));
        return JSON.parse(request.body).type;
      });
      assert.deepEqual(types.sort(), ['ingestion.completed', 'ingestion.failed', 'provider.created']);
      receiver.respondWith(withStatus(500));
      await post(client, `/webhooks/${id}/test`);
      await deliveryWith(client, id, ({ attempts }) => attempts === 1);
      receiver.respondWith(withStatus(410));
      await until(async () => (await readWebhook(client, id)).disabled_reason === 'gone');
      receiver.respondWith(withStatus(200));
      await patchWebhook(client, id, { enabled: true });
      const [failed] = await listDeliveries(client, id);
      await post(client, `/webhook-deliveries/${failed?.id}/repeat`);
      await delivered(client, id, 4);
      await client.delete(`/webhooks/${id}`);
    }
  });

  it('delivers an event whose place in the queue was lost when the coordinator crashed', async () => {
    const [tenant] = tenants;
    assert.ok(tenant);
    const { client } = tenant;
    const { id } = await makeWebhook(client, {
      url: `${receiver.url}/lost`,
      events: ['ingestion.completed'],
    });
    receiver.respondWith(withStatus(500));
    const job = await client.ingest([record({ cloud: { account: { uid: 'lost' } } })]);
    await deliveryWith(client, id, ({ attempts }) => attempts === 1);
    receiver.respondWith(withStatus(200));
    // As after a crash: the node has committed the end of the job, and the coordinator has not.
    await onNode(citus.url, 'delete from sluice.webhook_queue where webhook_id = $1', [id]);
    await onNode(
      citus.url,
      'insert into sluice.frame_queue (tenant_id, ingestion_id, number) values ($1, $2, 0)',
      [tenant.id, job.id],
    );
    await delivered(client, id, 1);
    assert.equal(requestsOf('lost').length, 2);
  });

  it('removes a delivery from the queue that has been delivered or deleted', async () => {
    const [tenant] = tenants;
    assert.ok(tenant);
    const { client } = tenant;
    const { id } = await makeWebhook(client, { url: `${receiver.url}/once`, events: ['ingestion.failed'] });
    await post(client, `/webhooks/${id}/test`);
    await delivered(client, id, 1);
    const [delivery] = await listDeliveries(client, id);
    const insert =
      'insert into sluice.webhook_queue (tenant_id, delivery_id, webhook_id) values ($1, $2, $3)';
    for (const deliveryId of [delivery?.id, '0198a000-0000-7000-8000-000000000000'])
      await onNode(citus.url, insert, [tenant.id, deliveryId, id]);
    await until(async () => (await queue()).length === 0);
    assert.equal(requestsOf('once').length, 1);
  });

  it('uses one node and one step for each statement about webhooks', async () => {
    const { count, found } = await findDistributedStatements(citus.ownerUrl, statements);
    assert.deepEqual(
      found.filter((statement) => JSON.stringify(statement).includes('webhook')),
      [],
    );
    assert.ok(count > 50, `only ${count} statements`);
  });
});
