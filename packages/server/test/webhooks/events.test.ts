import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { type Client, createClient } from '../support/client.ts';
import { createConformance } from '../support/openapi-conformance.ts';
import { record } from '../support/records.ts';
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
  type ReceivedRequest,
  startReceiver,
  verified,
  type WebhookReceiver,
} from '../support/webhook-receiver.ts';
import { PUBLIC_URL, startWebhookService } from '../support/webhook-service.ts';

interface Payload {
  readonly type: string;
  readonly timestamp: string;
  readonly data: Record<string, unknown>;
}

/** A record of this account, which is new unless another test has used it. */
const of = (account: string, members: Readonly<Record<string, unknown>> = {}) =>
  record({ cloud: { provider: 'aws', account: { uid: account, name: `${account} <&>` } }, ...members });

const payloadOf = ({ body }: ReceivedRequest): Payload => JSON.parse(body);

describe('events of ingestions and providers', () => {
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

  /** The payloads of the first requests, by type. */
  const payloads = async (count: number) => {
    const requests: ReceivedRequest[] = [];
    for (let at = 0; at < count; at++) requests.push(await receiver.request(at));
    return requests.map(payloadOf).sort((a, b) => (a.type < b.type ? -1 : 1));
  };

  it('sends signed events of ingestions and new providers, which the API description describes', async () => {
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
  });

  it('sends only the events that a webhook receives, and events of ingestions only of its providers', async () => {
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
  });

  it("formats events for Slack's incoming webhooks", async () => {
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

  it('records no event of a transaction that is rolled back', async () => {
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

  it('sends nothing to a webhook that is disabled while a job records its event', async () => {
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

  it('sends the event of an ingestion with coverage when its findings have been resolved', async () => {
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
