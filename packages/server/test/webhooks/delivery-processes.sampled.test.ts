import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { type Certificates, createCertificates } from '../support/certificates.ts';
import { type Client, createClient } from '../support/client.ts';
import { createDeployment, createTenantKey, type Deployment } from '../support/deployment.ts';
import { isWholeRun, itInWholeRun } from '../support/is-whole-run.ts';
import { createKey, createUser } from '../support/operator.ts';
import type { StartedProcess } from '../support/process.ts';
import { createSandbox } from '../support/sandbox.ts';
import { type Service, startService } from '../support/service.ts';
import { until } from '../support/until.ts';
import {
  deliveryWith,
  listDeliveries,
  makeWebhook,
  post,
  startReceiver,
  type WebhookReceiver,
  withStatus,
} from '../support/webhook-receiver.ts';

const SETTINGS = { SLUICE_WEBHOOKS_ALLOW_PRIVATE_ADDRESSES: 'true' };

describe('processes that deliver webhooks', () => {
  const sandbox = createSandbox();
  let deployment: Deployment;
  let api: Service;
  let client: Client;
  let receiver: WebhookReceiver;
  const workers: StartedProcess[] = [];
  before(async () => {
    deployment = await createDeployment(sandbox);
    api = await deployment.startApi(SETTINGS);
    client = createClient(api.url, await createTenantKey(api));
  });
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => end(worker, 'SIGTERM')));
    await receiver.close();
  });
  after(() => sandbox.clear());

  const startWorker = async () => {
    const worker = await deployment.startWorker(SETTINGS);
    workers.push(worker);
    return worker;
  };
  const end = async (worker: StartedProcess, signal: NodeJS.Signals) => {
    worker.signal(signal);
    await worker.exited;
  };
  const idsOf = ({ requests }: WebhookReceiver) => requests.map(({ headers }) => headers['webhook-id']);

  for (const signal of isWholeRun ? (['SIGKILL', 'SIGTERM'] as const) : (['SIGKILL'] as const)) {
    it(`sends a delivery again with the same ID if the process gets ${signal} while it sends it`, async () => {
      receiver.respondWith(() => {});
      const { id } = await makeWebhook(client, { url: receiver.url });
      const worker = await startWorker();
      await post(client, `/webhooks/${id}/test`);
      await receiver.request(0);
      await end(worker, signal);
      const { attributes } = await deliveryWith(client, id, () => true);
      assert.deepEqual([attributes.status, attributes.attempts], ['pending', 0]);
      receiver.respondWith(withStatus(200));
      await startWorker();
      await deliveryWith(client, id, ({ status, attempts }) => status === 'delivered' && attempts === 1);
      const [first, second, ...others] = idsOf(receiver);
      assert.deepEqual([first, others], [second, []]);
    });
  }

  itInWholeRun('sends each delivery once, and several at a time, with two worker processes', async () => {
    receiver.respondWith((response) => setTimeout(() => response.end(), 50));
    const webhooks = [
      await makeWebhook(client, { url: receiver.url }),
      await makeWebhook(client, { url: receiver.url }),
    ];
    const count = 20;
    for (let at = 0; at < count; at++)
      for (const { id } of webhooks) await post(client, `/webhooks/${id}/test`);
    await Promise.all([startWorker(), startWorker()]);
    for (const { id } of webhooks)
      await until(
        async () => (await listDeliveries(client, id, 'filter[status]=delivered')).length === count,
      );
    const ids = idsOf(receiver);
    assert.deepEqual([ids.length, new Set(ids).size], [2 * count, 2 * count]);
    assert.ok(receiver.mostAtOnce() > 1);
  });

  itInWholeRun("sends other tenants' deliveries while all receivers of a tenant are slow", async () => {
    const slow = await startReceiver();
    slow.respondWith(() => {});
    for (let at = 0; at < 5; at++) {
      const { id } = await makeWebhook(client, { url: slow.url });
      for (let each = 0; each < 4; each++) await post(client, `/webhooks/${id}/test`);
    }
    await startWorker();
    await slow.request(1);
    const { id: tenantId } = await api.sluiceJson<{ id: string }>('tenant', 'create', 'Umbrella');
    await createUser(api, tenantId, 'other@example.com');
    const other = createClient(api.url, await createKey(api, tenantId, 'other@example.com'));
    const { id } = await makeWebhook(other, { url: receiver.url });
    for (let each = 0; each < 3; each++) await post(other, `/webhooks/${id}/test`);
    await until(async () => (await listDeliveries(other, id, 'filter[status]=delivered')).length === 3);
    assert.equal(slow.mostAtOnce(), 2);
    await slow.close();
  });

  itInWholeRun(
    'ends requests to slow receivers after 15 seconds, which is a failure unless the status is known',
    async () => {
      const slow = await startReceiver();
      slow.respondWith((response) => {
        response.writeHead(200).write('a');
        const timer = setInterval(() => response.write('a'), 1000);
        response.on('close', () => clearInterval(timer));
      });
      receiver.respondWith(() => {});
      const [silent, trickling] = [
        await makeWebhook(client, { url: receiver.url }),
        await makeWebhook(client, { url: slow.url }),
      ];
      await startWorker();
      for (const { id } of [silent, trickling]) await post(client, `/webhooks/${id}/test`);
      const { attributes } = await deliveryWith(client, silent.id, ({ attempts }) => attempts === 1);
      assert.deepEqual(
        [attributes.status, attributes.response_status, attributes.error],
        ['pending', null, 'There was no response within 15 seconds.'],
      );
      const known = await deliveryWith(client, trickling.id, ({ attempts }) => attempts === 1);
      assert.deepEqual([known.attributes.status, known.attributes.response_status], ['delivered', 200]);
      await slow.close();
    },
  );
});

describe('deliveries of webhooks over TLS', () => {
  let certificates: Certificates;
  let service: Service;
  let client: Client;
  before(async () => {
    certificates = await createCertificates();
    // Nothing listens on the port of the proxy.
    const proxy = 'http://127.0.0.1:9';
    service = await startService({
      ...SETTINGS,
      NODE_EXTRA_CA_CERTS: certificates.authority,
      NODE_USE_ENV_PROXY: '1',
      HTTP_PROXY: proxy,
      HTTPS_PROXY: proxy,
    });
    client = createClient(service.url, service.key);
  });
  after(async () => {
    await service?.remove();
    await rm(certificates.folder, { recursive: true });
  });

  it('verifies the host name of the receiver, and ignores proxies in the environment', async () => {
    const options = { cert: readFileSync(certificates.cert), key: readFileSync(certificates.key) };
    let received = 0;
    const server = createServer(options, (request, response) => {
      received++;
      request.resume();
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, resolve));
    const address = server.address();
    assert.ok(typeof address === 'object' && address !== null);
    const outcome = async (host: string) => {
      const { id } = await makeWebhook(client, { url: `https://${host}:${address.port}/` });
      await post(client, `/webhooks/${id}/test`);
      const { attributes } = await deliveryWith(client, id, ({ attempts }) => attempts === 1);
      return [attributes.status, attributes.error];
    };
    assert.deepEqual(await outcome('localhost'), ['delivered', null]);
    assert.deepEqual(await outcome('127.0.0.1'), [
      'pending',
      'The request failed: ERR_TLS_CERT_ALTNAME_INVALID.',
    ]);
    assert.equal(received, 1);
    await new Promise((resolve) => server.close(resolve));
  });
});
