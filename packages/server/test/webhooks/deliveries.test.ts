import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { type Client, createClient } from '../support/client.ts';
import { record } from '../support/records.ts';
import { assertRefused } from '../support/refusal.ts';
import type { Service } from '../support/service.ts';
import { until } from '../support/until.ts';
import {
  type DeliveryObject,
  deleteWebhooks,
  deliveryWith,
  listDeliveries,
  makeWebhook,
  patchWebhook,
  post,
  readWebhook,
  startReceiver,
  verified,
  type WebhookObject,
  type WebhookReceiver,
  withStatus,
} from '../support/webhook-receiver.ts';
import { PUBLIC_URL, startWebhookService } from '../support/webhook-service.ts';

describe('deliveries of webhooks', () => {
  let service: Service;
  let client: Client;
  let receiver: WebhookReceiver;
  before(async () => {
    service = await startWebhookService();
    client = createClient(service.url, service.key);
  });
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(async () => {
    await deleteWebhooks(client);
    await receiver.close();
  });
  after(() => service.remove());

  /** Makes the next attempt of all deliveries due. */
  const expedite = () => service.sql('update webhook_queue set available_at = now(); notify sluice_webhooks');

  it('signs with two secrets while the secret is being rotated', async () => {
    const { id, secret } = await makeWebhook(client, { url: receiver.url });
    const { body, status } = await post<WebhookObject>(client, `/webhooks/${id}/rotate-secret`);
    assert.equal(status, 200);
    const rotated = body.data.attributes.secret ?? '';
    assert.notEqual(rotated, secret);
    const expiry = Date.parse(body.data.attributes.previous_secret_expires_at ?? '');
    assert.ok(Math.abs(expiry - Date.now() - 24 * 3600 * 1000) < 60_000);
    await post(client, `/webhooks/${id}/test`);
    const both = await receiver.request(0);
    for (const each of [rotated, secret])
      assert.deepEqual(verified(both, each), {
        type: 'webhook.test',
        timestamp: JSON.parse(both.body).timestamp,
        data: { webhook_id: id },
      });
    await service.sql('update webhooks set previous_secret_expires_at = now() where id = $1', [id]);
    assert.equal((await readWebhook(client, id)).previous_secret_expires_at, null);
    await post(client, `/webhooks/${id}/test`);
    const later = await receiver.request(1);
    verified(later, rotated);
    assert.throws(() => verified(later, secret));
  });

  it('retries after an error with the same body and ID, and with a new timestamp', async () => {
    receiver.respondWith(withStatus(500));
    const { id, secret } = await makeWebhook(client, { url: receiver.url });
    await post(client, `/webhooks/${id}/test`);
    const { attributes } = await deliveryWith(client, id, ({ attempts }) => attempts === 1);
    assert.deepEqual(
      [attributes.status, attributes.response_status, attributes.response_body, attributes.error],
      ['pending', 500, 'status 500', null],
    );
    const delay = Date.parse(attributes.next_attempt_at ?? '') - Date.parse(attributes.last_attempt_at ?? '');
    assert.ok(delay >= 5000 && delay <= 5500, String(delay));
    receiver.respondWith(withStatus(204));
    // The second attempt is made by the schedule.
    const second = await receiver.request(1);
    const [first] = receiver.requests;
    assert.ok(first);
    assert.equal(second.body, first.body);
    assert.equal(second.headers['webhook-id'], first.headers['webhook-id']);
    assert.notEqual(second.headers['webhook-timestamp'], first.headers['webhook-timestamp']);
    verified(second, secret);
    const delivered = await deliveryWith(client, id, ({ status }) => status === 'delivered');
    assert.deepEqual(
      [
        delivered.attributes.attempts,
        delivered.attributes.response_status,
        delivered.attributes.response_body,
      ],
      [2, 204, ''],
    );
  });

  it('treats redirects as failures, and does not follow them', async () => {
    const target = await startReceiver();
    receiver.respondWith(withStatus(307, { location: target.url }));
    const { id } = await makeWebhook(client, { url: receiver.url });
    await post(client, `/webhooks/${id}/test`);
    const { attributes } = await deliveryWith(client, id, ({ attempts }) => attempts === 1);
    assert.deepEqual(
      [attributes.status, attributes.response_status, attributes.error],
      ['pending', 307, 'Redirects are not followed.'],
    );
    assert.deepEqual(target.requests, []);
    await target.close();
  });

  it('reports a redirect only for the statuses of redirects', async () => {
    const { id } = await makeWebhook(client, { url: receiver.url });
    const errors = new Map<number, string | null>();
    const redirects = [301, 302, 303, 307, 308];
    for (const status of [...redirects, 300, 304, 305, 399]) {
      receiver.respondWith((response) => response.writeHead(status).end());
      await post(client, `/webhooks/${id}/test`);
      const { attributes } = await deliveryWith(client, id, ({ attempts }) => attempts === 1);
      assert.deepEqual([attributes.status, attributes.response_status], ['pending', status]);
      if (attributes.error !== null) errors.set(status, attributes.error);
    }
    assert.deepEqual(errors, new Map(redirects.map((status) => [status, 'Redirects are not followed.'])));
  });

  it('disables a webhook at once if the receiver returns 410', async () => {
    receiver.respondWith(withStatus(410));
    const { id } = await makeWebhook(client, { url: receiver.url });
    await service.sql(
      `insert into webhook_deliveries (tenant_id, id, webhook_id, event_id, event_type, payload, created_at, next_attempt_at)
       values ($1, gen_random_uuid(), $2, gen_random_uuid(), 'webhook.test', '{}', now() - interval '1 hour', now() + interval '1 hour')`,
      [service.tenantId, id],
    );
    await post(client, `/webhooks/${id}/test`);
    await until(async () => !(await readWebhook(client, id)).enabled);
    const webhook = await readWebhook(client, id);
    assert.equal(webhook.disabled_reason, 'gone');
    const [gone, waiting] = await listDeliveries(client, id);
    assert.deepEqual(
      [gone, waiting].map((delivery) => [
        delivery?.attributes.status,
        delivery?.attributes.attempts,
        delivery?.attributes.error,
      ]),
      [
        ['failed', 1, null],
        ['failed', 0, 'The webhook was disabled.'],
      ],
    );
    await client.ingest([record()]);
    assert.equal((await listDeliveries(client, id)).length, 2);
    assert.match(service.output.stderr, /"reason":"gone".*"a webhook was disabled"/);
  });

  it('disables a webhook after the last attempt at a delivery, and delivers again after it was enabled', async () => {
    receiver.respondWith(withStatus(503));
    const { id } = await makeWebhook(client, { url: receiver.url });
    await post(client, `/webhooks/${id}/test`);
    for (let attempt = 1; attempt < 10; attempt++) {
      await deliveryWith(client, id, ({ attempts }) => attempts === attempt);
      assert.equal((await readWebhook(client, id)).enabled, true);
      await expedite();
    }
    const failed = await deliveryWith(client, id, ({ status }) => status === 'failed');
    assert.deepEqual([failed.attributes.attempts, failed.attributes.next_attempt_at], [10, null]);
    const { enabled, disabled_reason, disabled_at } = await readWebhook(client, id);
    assert.deepEqual([enabled, disabled_reason], [false, 'failed']);
    assert.ok(disabled_at !== null);
    const repeat = () => post<DeliveryObject>(client, `/webhook-deliveries/${failed.id}/repeat`);
    assert.equal((await repeat()).status, 409);

    receiver.respondWith(withStatus(200));
    await patchWebhook(client, id, { enabled: true });
    const { status, headers, body } = await repeat();
    assert.equal(status, 202);
    assert.equal(headers.get('location'), `${PUBLIC_URL}/api/v1/webhook-deliveries/${failed.id}`);
    assert.equal(body.data.attributes.status, 'pending');
    const delivered = await deliveryWith(client, id, (now) => now.status === 'delivered');
    assert.deepEqual([delivered.id, delivered.attributes.attempts], [failed.id, 11]);
    const ids = receiver.requests.map(({ headers }) => headers['webhook-id']);
    assert.deepEqual([ids.length, new Set(ids).size], [11, 1]);
  });

  it('repeats a delivery that was delivered, with the same ID and body', async () => {
    const { id } = await makeWebhook(client, { url: receiver.url });
    await post(client, `/webhooks/${id}/test`);
    const { id: deliveryId } = await deliveryWith(client, id, ({ status }) => status === 'delivered');
    await post(client, `/webhook-deliveries/${deliveryId}/repeat`);
    const again = await receiver.request(1);
    const [first] = receiver.requests;
    assert.equal(again.body, first?.body);
    assert.equal(again.headers['webhook-id'], first?.headers['webhook-id']);
    await deliveryWith(client, id, ({ status, attempts }) => status === 'delivered' && attempts === 2);
    const filtered = async (status: string) =>
      (await listDeliveries(client, id, `filter[status]=${status}`)).length;
    assert.deepEqual([await filtered('delivered'), await filtered('failed')], [1, 0]);
  });

  it('repeats a pending delivery at once, and then begins the delays again', async () => {
    receiver.respondWith(withStatus(500));
    const { id } = await makeWebhook(client, { url: receiver.url });
    await post(client, `/webhooks/${id}/test`);
    await deliveryWith(client, id, ({ attempts }) => attempts === 1);
    await expedite();
    const { id: deliveryId } = await deliveryWith(client, id, ({ attempts }) => attempts === 2);
    await post(client, `/webhook-deliveries/${deliveryId}/repeat`);
    const { attributes } = await deliveryWith(client, id, ({ attempts }) => attempts === 3);
    const delay = Date.parse(attributes.next_attempt_at ?? '') - Date.parse(attributes.last_attempt_at ?? '');
    assert.ok(delay >= 5000 && delay <= 5500, String(delay));
  });

  it('reads only the beginning of an endless response', async () => {
    receiver.respondWith((response) => {
      const timer = setInterval(() => response.write('a'.repeat(2 ** 14)), 1);
      response.on('close', () => clearInterval(timer));
    });
    const { id } = await makeWebhook(client, { url: receiver.url });
    await post(client, `/webhooks/${id}/test`);
    const { attributes } = await deliveryWith(client, id, ({ status }) => status === 'delivered');
    assert.equal(attributes.response_body, 'a'.repeat(1000));
  });

  it('reports a connection that fails, and one that is closed or upgraded without a response', async () => {
    const { id } = await makeWebhook(client, { url: receiver.url });
    const errors: (string | null)[] = [];
    const attempt = async () => {
      await post(client, `/webhooks/${id}/test`);
      const { attributes } = await deliveryWith(client, id, ({ attempts }) => attempts === 1);
      errors.push(attributes.error);
    };
    receiver.respondWith((response) => response.destroy());
    await attempt();
    receiver.respondWith((response) => {
      response.socket?.write(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: other\r\n\r\n',
      );
    });
    await attempt();
    const closed = await startReceiver();
    await closed.close();
    await patchWebhook(client, id, { url: closed.url });
    await attempt();
    assert.deepEqual(errors, [
      'The request failed: ECONNRESET.',
      'The request failed: the connection was closed.',
      'The request failed: ECONNREFUSED.',
    ]);
  });

  it('allows http URLs if private addresses are allowed, and no others', async () => {
    const { id } = await makeWebhook(client, { url: receiver.url });
    assertRefused(await patchWebhook(client, id, { url: 'ftp://example.com/' }), {
      status: 400,
      code: 'invalid_document',
      detail: /^The URL must start with https: or http:\.$/,
      source: { pointer: '/data/attributes/url' },
    });
  });
});
