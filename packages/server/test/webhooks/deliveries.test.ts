import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient } from '../support/client.ts';
import { createConformance } from '../support/openapi-conformance.ts';
import { record } from '../support/records.ts';
import { type Service, startService } from '../support/service.ts';
import { until } from '../support/until.ts';
import {
  type DeliveryObject,
  deliveryWith,
  listDeliveries,
  makeWebhook,
  patchWebhook,
  post,
  type ReceivedRequest,
  readWebhook,
  startReceiver,
  verified,
  type WebhookObject,
  type WebhookReceiver,
  withStatus,
} from '../support/webhook-receiver.ts';

const PUBLIC_URL = 'https://sluice.example.com/base';

interface Payload {
  readonly type: string;
  readonly timestamp: string;
  readonly data: Record<string, unknown>;
}

/** A record of this account, which is new unless another test has used it. */
const of = (account: string, members: Readonly<Record<string, unknown>> = {}) =>
  record({ cloud: { provider: 'aws', account: { uid: account, name: `${account} <&>` } }, ...members });

describe('deliveries of webhooks', () => {
  let service: Service;
  let client: Client;
  let receiver: WebhookReceiver;
  before(async () => {
    // Another setting, and a database in which times can be changed.
    service = await startService({
      SLUICE_WORKERS: '1',
      SLUICE_WEBHOOKS_ALLOW_PRIVATE_ADDRESSES: 'true',
      SLUICE_PUBLIC_URL: PUBLIC_URL,
      LOG_LEVEL: 'debug',
    });
    client = createClient(service.url, service.key);
  });
  after(() => service.remove());

  /** Runs a test with a receiver, and deletes its webhooks. */
  const received = (title: string, test: () => Promise<void>) =>
    it(title, async () => {
      receiver = await startReceiver();
      try {
        await test();
      } finally {
        const { body } = await client.get<readonly WebhookObject[]>('/webhooks');
        for (const { id } of body.data) await client.delete(`/webhooks/${id}`);
        await receiver.close();
      }
    });
  const payloadOf = ({ body }: ReceivedRequest): Payload => JSON.parse(body);
  const payloads = async (count: number) => {
    const requests: ReceivedRequest[] = [];
    for (let at = 0; at < count; at++) requests.push(await receiver.request(at));
    return requests.map(payloadOf).sort((a, b) => (a.type < b.type ? -1 : 1));
  };
  /** Makes the next attempt of all deliveries due. */
  const expedite = () => service.sql('update webhook_queue set available_at = now(); notify sluice_webhooks');

  received(
    'sends signed events of ingestions and new providers, which the API description describes',
    async () => {
      const { id, secret } = await makeWebhook(client, { url: `${receiver.url}/hook?token=of-acme` });
      const parts = { label: 'branch=main' };
      const completed = await client.ingest([of('first'), of('first', { finding_info: { uid: 'two' } })], {
        fileName: 'first.json',
        parts,
      });
      const failed = await client.ingest([of('first'), { class_uid: 1 }, {}], { fileName: 'second.json' });
      const [first, second, created] = await payloads(3);
      assert.ok(first && second && created);
      const { body } = await client.get<readonly { id: string; attributes: Record<string, unknown> }[]>(
        '/providers?filter[account]=first',
      );
      const [provider] = body.data;
      assert.ok(provider);
      const listed = { id: provider.id, type: 'aws', account: 'first', name: 'first <&>' };
      assert.deepEqual(created, {
        type: 'provider.created',
        timestamp: provider.attributes.inserted_at,
        data: {
          ...listed,
          inserted_at: provider.attributes.inserted_at,
          links: {
            self: `${PUBLIC_URL}/api/v1/providers/${provider.id}`,
            console: `${PUBLIC_URL}/providers`,
          },
        },
      });
      const dataOf = ({ id, attributes }: typeof completed) => ({
        id,
        status: attributes.status,
        summary: attributes.summary,
        requested_at: attributes.requested_at,
        completed_at: attributes.completed_at,
        providers: [listed],
        provider_count: 1,
        links: {
          self: `${PUBLIC_URL}/api/v1/ingestions/${id}`,
          console: `${PUBLIC_URL}/ingestions/${id}`,
        },
      });
      assert.deepEqual(first, {
        type: 'ingestion.completed',
        timestamp: completed.attributes.completed_at,
        data: {
          ...dataOf(completed),
          file_name: 'first.json',
          labels: { branch: 'main' },
          errors: {},
          warnings: 0,
        },
      });
      const { counts } = await client.errors(failed.id);
      assert.deepEqual(second, {
        type: 'ingestion.failed',
        timestamp: failed.attributes.completed_at,
        data: { ...dataOf(failed), file_name: 'second.json', labels: {}, errors: counts, warnings: 0 },
      });

      const description: unknown = await (await fetch(`${service.url}/api/v1/openapi.json`)).json();
      const { assertValid } = createConformance(description);
      for (const request of receiver.requests) {
        const payload = payloadOf(request);
        assert.deepEqual(verified(request, secret), payload);
        assert.deepEqual(
          [request.method, request.path, request.headers['content-type']],
          ['POST', '/hook?token=of-acme', 'application/json'],
        );
        const at = `/webhooks/${payload.type}/post/requestBody/content/application~1json/schema`;
        assertValid(at, payload, payload.type);
        assert.throws(() => assertValid(at, { ...payload, data: {} }, payload.type));
      }
      const events = receiver.requests.map(({ headers }) => headers['webhook-id']);
      assert.equal(new Set(events).size, 3);
      const deliveries = await until(async () => {
        const all = await listDeliveries(client, id);
        return all.every(({ attributes }) => attributes.status === 'delivered') && all;
      });
      assert.deepEqual(
        deliveries.map(({ attributes }) => attributes.event_id).sort(),
        events.map(String).sort(),
      );
      const [latest] = deliveries;
      assert.ok(latest);
      assert.deepEqual(
        { ...latest.attributes, event_id: '', inserted_at: '', last_attempt_at: '' },
        {
          event_id: '',
          event_type: 'ingestion.failed',
          status: 'delivered',
          attempts: 1,
          payload: JSON.stringify(second),
          inserted_at: '',
          last_attempt_at: '',
          next_attempt_at: null,
          response_status: 200,
          response_body: 'received',
          error: null,
        },
      );
      assert.deepEqual(
        (await client.get<DeliveryObject>(`/webhook-deliveries/${latest.id}`)).body.data,
        latest,
      );
      assert.deepEqual(await service.sql('select from webhook_queue'), []);
      for (const text of [secret, 'of-acme'])
        assert.ok(!service.output.stderr.includes(text), `the log contains ${text}`);
    },
  );

  received(
    'sends only the events that a webhook receives, and events of ingestions only of its providers',
    async () => {
      await client.ingest([of('wanted'), of('other')]);
      const { body } = await client.get<readonly { id: string }[]>('/providers?filter[account]=wanted');
      const wanted = body.data.map(({ id }) => id);
      await makeWebhook(client, { url: `${receiver.url}/failed`, events: ['ingestion.failed'] });
      await makeWebhook(client, { url: `${receiver.url}/wanted`, provider_ids: wanted });
      const disabled = await makeWebhook(client, { url: `${receiver.url}/disabled` });
      await patchWebhook(client, disabled.id, { enabled: false });
      const other = await client.ingest([of('other')]);
      const both = await client.ingest([of('other'), of('wanted'), of('new-one')]);
      await receiver.request(1);
      const seen = receiver.requests.map((request) => [request.path, payloadOf(request).type]).sort();
      assert.deepEqual(seen, [
        ['/wanted', 'ingestion.completed'],
        ['/wanted', 'provider.created'],
      ]);
      const [completed] = await payloads(2);
      assert.equal(completed?.data.id, both.id);
      assert.deepEqual(
        await service.sql('select from webhook_deliveries where payload like $1', [`%${other.id}%`]),
        [],
      );
    },
  );

  received("formats events for Slack's incoming webhooks", async () => {
    const { id } = await makeWebhook(client, { url: receiver.url, format: 'slack' });
    const job = await client.ingest([of('for-slack'), of('for-slack', { finding_info: { uid: '' } })], {
      fileName: 'a|<b>&c.json',
    });
    await receiver.request(1);
    const texts = receiver.requests.map(({ body }) => JSON.parse(body)).map(({ text }) => text);
    assert.deepEqual(texts.sort(), [
      `Ingestion failed: <${PUBLIC_URL}/ingestions/${job.id}|a¦&lt;b&gt;&amp;c.json> (2 records, 1 rejected)`,
      `New provider: aws <${PUBLIC_URL}/providers|for-slack> (for-slack &lt;&amp;&gt;)`,
    ]);
    await post(client, `/webhooks/${id}/test`);
    assert.deepEqual(JSON.parse((await receiver.request(2)).body), { text: 'Test of a Sluice webhook' });
  });

  received('signs with two secrets while the secret is being rotated', async () => {
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
        timestamp: payloadOf(both).timestamp,
        data: { webhook_id: id },
      });
    await service.sql('update webhooks set previous_secret_expires_at = now() where id = $1', [id]);
    assert.equal((await readWebhook(client, id)).previous_secret_expires_at, null);
    await post(client, `/webhooks/${id}/test`);
    const later = await receiver.request(1);
    verified(later, rotated);
    assert.throws(() => verified(later, secret));
  });

  received('retries after an error with the same body and ID, and with a new timestamp', async () => {
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

  received('treats redirects as failures, and does not follow them', async () => {
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

  received('disables a webhook at once if the receiver returns 410', async () => {
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
    await client.ingest([of('after-gone')]);
    assert.equal((await listDeliveries(client, id)).length, 2);
    assert.match(service.output.stderr, /"reason":"gone".*"a webhook was disabled"/);
  });

  received(
    'disables a webhook after the last attempt at a delivery, and delivers again after it was enabled',
    async () => {
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
    },
  );

  received('repeats a delivery that was delivered, with the same ID and body', async () => {
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

  received('reads only the beginning of an endless response', async () => {
    receiver.respondWith((response) => {
      const timer = setInterval(() => response.write('a'.repeat(2 ** 14)), 1);
      response.on('close', () => clearInterval(timer));
    });
    const { id } = await makeWebhook(client, { url: receiver.url });
    await post(client, `/webhooks/${id}/test`);
    const { attributes } = await deliveryWith(client, id, ({ status }) => status === 'delivered');
    assert.equal(attributes.response_body, 'a'.repeat(1000));
  });

  received(
    'reports a connection that fails, and one that is closed or upgraded without a response',
    async () => {
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
    },
  );

  received('records no event of a transaction that is rolled back', async () => {
    const { id } = await makeWebhook(client, { url: receiver.url, events: ['ingestion.completed'] });
    await service.sql('create sequence commits');
    await service.sql('grant usage on commits to sluice_app');
    await service.sql(`create function refuse_first() returns trigger language plpgsql as $$
      begin
        if nextval('sluice.commits') = 1 then raise exception 'refused by the test'; end if;
        return null;
      end $$`);
    await service.sql(`create constraint trigger refuse_first after update of completed_at on ingestions
      deferrable initially deferred for each row when (new.completed_at is not null) execute function refuse_first()`);
    const job = await client.ingest([of('rolled-back')]);
    await service.sql('drop trigger refuse_first on ingestions');
    assert.match(service.output.stderr, /refused by the test/);
    await deliveryWith(client, id, ({ status }) => status === 'delivered');
    const deliveries = await listDeliveries(client, id);
    assert.equal(deliveries.length, 1);
    assert.equal(receiver.requests.length, 1);
    const [event] = await payloads(1);
    assert.equal(event?.timestamp, job.attributes.completed_at);
  });

  received('sends nothing to a webhook that is disabled while a job records its event', async () => {
    const { id } = await makeWebhook(client, { url: receiver.url, events: ['ingestion.completed'] });
    // At the end of the job's transaction, after it has read the webhooks.
    await service.sql(`create function disable() returns trigger language plpgsql as $$
      begin
        update sluice.webhooks set disabled_at = now(), disabled_reason = 'user' where id = new.webhook_id;
        return null;
      end $$`);
    await service.sql(`create constraint trigger disable after insert on webhook_deliveries
      deferrable initially deferred for each row execute function disable()`);
    await client.ingest([of('disabled')]);
    await service.sql('drop trigger disable on webhook_deliveries');
    const { attributes } = await deliveryWith(client, id, ({ status }) => status !== 'pending');
    assert.equal(attributes.error, 'The webhook was disabled.');
    assert.deepEqual(await service.sql('select from webhook_queue'), []);
    assert.equal(receiver.requests.length, 0);
  });

  received('sends the event of an ingestion with coverage when its findings have been resolved', async () => {
    await client.ingest([of('covered'), of('covered', { finding_info: { uid: 'gone' } })]);
    await makeWebhook(client, { url: receiver.url });
    const product = { metadata: { event_code: 'check', product: { name: 'Scanner' } } };
    const job = await client.ingest([of('covered', product)], { parts: { coverage: 'account' } });
    const [event] = await payloads(1);
    assert.deepEqual(
      [event?.type, event?.data.id, event?.timestamp],
      ['ingestion.completed', job.id, job.attributes.completed_at],
    );
  });
});
