import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { UNKNOWN_ID } from '../../support/access-resources.ts';
import { type Client, createClient } from '../../support/client.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { record } from '../../support/records.ts';
import { assertRefused } from '../../support/refusal.ts';
import { createSecondTenant, type SecondTenant } from '../../support/second-tenant.ts';
import { TIMESTAMP } from '../../support/timestamp.ts';
import {
  type DeliveryObject,
  deliveryWith,
  listDeliveries,
  makeWebhook,
  patchWebhook,
  post,
  postWebhook,
  readWebhook,
  type WebhookObject,
} from '../../support/webhook-receiver.ts';

/** A name that no server resolves (RFC 6761, section 6.4), and a path that is a secret. */
const URL_TEXT = 'https://receiver.invalid/hooks/of-acme?token=secret-token';
const NOT_FOUND = { status: 404, code: 'not_found', detail: /^No webhook has this ID\.$/ };

describe('webhooks', () => {
  let service: SharedService;
  let client: Client;
  let second: SecondTenant;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
    second = await createSecondTenant(service);
  });
  after(() => service.leave());

  const remove = async (id: string) => assert.equal((await client.delete(`/webhooks/${id}`)).status, 204);
  const auditEvents = async (id: string) =>
    (
      await service.sql<{ action: string; changes: object }>(
        'select action, changes from audit_events where target_id = $1 order by occurred_at',
        [id],
      )
    ).map(({ action, changes }) => [action, changes]);

  it('creates a webhook, and returns its secret only in that response', async () => {
    const response = await postWebhook(client, {
      url: URL_TEXT,
      description: 'Acme',
      events: ['ingestion.failed', 'ingestion.failed'],
    });
    const { data } = response.body;
    assert.equal(response.status, 201, JSON.stringify(response.body));
    const { secret, ...attributes } = data.attributes;
    assert.match(attributes.inserted_at, TIMESTAMP);
    assert.deepEqual(attributes, {
      url: URL_TEXT,
      description: 'Acme',
      format: 'standard',
      events: ['ingestion.failed'],
      provider_ids: null,
      severities: null,
      enabled: true,
      disabled_at: null,
      disabled_reason: null,
      previous_secret_expires_at: null,
      inserted_at: attributes.inserted_at,
    });
    assert.match(secret ?? '', /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.equal(response.headers.get('location'), `${service.url}/api/v1/webhooks/${data.id}`);
    assert.equal(data.links.self, response.headers.get('location'));
    const { body } = await client.get<WebhookObject>(`/webhooks/${data.id}`);
    assert.deepEqual(body.data, { ...data, attributes });
    const { body: list } = await client.get<readonly WebhookObject[]>('/webhooks');
    assert.deepEqual(list.data, [{ ...data, attributes }]);
    await remove(data.id);
    assertRefused(await client.get(`/webhooks/${data.id}`), NOT_FOUND);
  });

  it('records the creation, changes, rotations and deletion of a webhook without its path and its secret', async () => {
    const { id, secret } = await makeWebhook(client, { url: URL_TEXT });
    await patchWebhook(client, id, { url: 'https://other.invalid:8443/hooks/moved' });
    await patchWebhook(client, id, { description: 'Acme', events: ['provider.created'] });
    await patchWebhook(client, id, { enabled: false });
    await patchWebhook(client, id, { enabled: false });
    await patchWebhook(client, id, {});
    const { body } = await post<WebhookObject>(client, `/webhooks/${id}/rotate-secret`);
    await remove(id);
    const events = await auditEvents(id);
    assert.deepEqual(events, [
      [
        'webhook.created',
        {
          host: 'receiver.invalid',
          description: null,
          format: 'standard',
          events: ['ingestion.completed', 'ingestion.failed', 'provider.created'],
          provider_ids: null,
          severities: null,
        },
      ],
      ['webhook.updated', { host: 'other.invalid:8443' }],
      ['webhook.updated', { description: 'Acme', events: ['provider.created'] }],
      ['webhook.updated', { enabled: false }],
      ['webhook.secret_rotated', {}],
      ['webhook.deleted', { host: 'other.invalid:8443' }],
    ]);
    for (const text of [secret, body.data.attributes.secret ?? '', 'of-acme', 'secret-token'])
      assert.ok(!JSON.stringify(events).includes(text), text);
  });

  it('updates only the attributes of a webhook that the request contains', async () => {
    const { id } = await makeWebhook(client, { url: URL_TEXT, description: 'Acme' });
    const before = await readWebhook(client, id);
    const { body } = await patchWebhook(client, id, { description: null });
    assert.deepEqual(body.data.attributes, { ...before, description: null });
    await patchWebhook(client, id, { url: 'https://other.invalid/' });
    assert.deepEqual(await readWebhook(client, id), {
      ...before,
      description: null,
      url: 'https://other.invalid/',
    });
    assertRefused(await patchWebhook(client, id, { format: 'slack' }), {
      status: 400,
      code: 'invalid_document',
      detail: /^Unknown member 'format'\. Valid members are 'url', /,
      source: { pointer: '/data/attributes/format' },
    });
    await remove(id);
  });

  it('shows who disabled a webhook, and enables it again', async () => {
    const { id } = await makeWebhook(client, { url: URL_TEXT });
    const { body } = await patchWebhook(client, id, { enabled: false });
    const { enabled, disabled_reason, disabled_at } = body.data.attributes;
    assert.deepEqual([enabled, disabled_reason], [false, 'user']);
    assert.match(disabled_at ?? '', TIMESTAMP);
    const filtered = async (value: boolean) =>
      (await client.get<readonly WebhookObject[]>(`/webhooks?filter[enabled]=${value}`)).body.data.length;
    assert.deepEqual([await filtered(true), await filtered(false)], [0, 1]);
    assertRefused(await post(client, `/webhooks/${id}/test`), {
      status: 409,
      code: 'webhook_disabled',
      detail: /^The webhook is disabled\. Enable it first, with PATCH/,
    });
    await patchWebhook(client, id, { enabled: true });
    const now = await readWebhook(client, id);
    assert.deepEqual([now.enabled, now.disabled_reason, now.disabled_at], [true, null, null]);
    await remove(id);
  });

  it('rejects unknown events and providers of a webhook', async () => {
    const invalid = (pointer: string) => ({
      status: 400,
      code: 'invalid_document',
      detail: /./,
      source: { pointer },
    });
    assertRefused(
      await postWebhook(client, { url: URL_TEXT, events: [] }),
      invalid('/data/attributes/events'),
    );
    assertRefused(
      await postWebhook(client, { url: URL_TEXT, events: ['webhook.test'] }),
      invalid('/data/attributes/events/0'),
    );
    const theirs = await second.client.ingest([record()]);
    assert.equal(theirs.attributes.status, 'completed');
    const { body } = await second.client.get<readonly { id: string }[]>('/providers');
    for (const provider of [UNKNOWN_ID, body.data[0]?.id])
      assertRefused(await postWebhook(client, { url: URL_TEXT, provider_ids: [provider] }), {
        ...NOT_FOUND,
        detail: /^No provider has this ID\.$/,
        source: { pointer: '/data/attributes/provider_ids/0' },
      });
  });

  it('allows 20 webhooks per tenant', async () => {
    const results = await Promise.all(
      Array.from({ length: 22 }, async () => await postWebhook(client, { url: URL_TEXT })),
    );
    const created = results.filter(({ status }) => status === 201);
    assert.equal(created.length, 20);
    const refused = results.find(({ status }) => status !== 201);
    assert.ok(refused);
    const error = assertRefused(refused, {
      status: 422,
      code: 'too_many_webhooks',
      detail: /^A tenant can have 20 webhooks\. Delete one first\.$/,
    });
    assert.deepEqual(error.meta, { limit: 'webhooks', max: 20 });
    for (const { body } of created) await remove(body.data.id);
  });

  it('sends links that begin with the address that the process listens on', async () => {
    const { id } = await makeWebhook(client, { url: URL_TEXT, events: ['ingestion.completed'] });
    const ingestion = await client.ingest([record()]);
    const { attributes } = await deliveryWith(
      client,
      id,
      ({ event_type }) => event_type === 'ingestion.completed',
    );
    const { data } = JSON.parse(attributes.payload);
    assert.deepEqual(data.links, {
      self: `${service.url}/api/v1/ingestions/${ingestion.id}`,
      console: `${service.url}/ingestions/${ingestion.id}`,
    });
    await remove(id);
  });

  it('accepts the providers that a webhook already has, even if they were deleted', async () => {
    await client.ingest([record({ cloud: { provider: 'aws', account: { uid: 'deleted' } } })]);
    const { body } = await client.get<readonly { id: string }[]>('/providers?filter[account]=deleted');
    const provider = body.data[0]?.id;
    const { id } = await makeWebhook(client, { url: URL_TEXT, provider_ids: [provider] });
    assert.equal((await client.delete(`/providers/${provider}`)).status, 204);
    const { provider_ids } = await readWebhook(client, id);
    assert.deepEqual(provider_ids, [provider]);
    assert.equal((await patchWebhook(client, id, { provider_ids, severities: ['high'] })).status, 200);
    assertRefused(await patchWebhook(client, id, { provider_ids: [provider, UNKNOWN_ID] }), {
      status: 404,
      code: 'not_found',
      detail: /^No provider has this ID\.$/,
      source: { pointer: '/data/attributes/provider_ids/1' },
    });
    await remove(id);
  });

  it('deletes the deliveries of a deleted webhook', async () => {
    const { id } = await makeWebhook(client, { url: URL_TEXT });
    const { body } = await post<DeliveryObject>(client, `/webhooks/${id}/test`);
    await remove(id);
    assertRefused(await client.get(`/webhook-deliveries/${body.data.id}`), {
      ...NOT_FOUND,
      detail: /^No delivery has this ID\.$/,
    });
  });

  it('removes deliveries after 30 days', async () => {
    const { id } = await makeWebhook(client, { url: URL_TEXT });
    const deliveries: string[] = [];
    for (let at = 0; at < 3; at++)
      deliveries.push((await post<DeliveryObject>(client, `/webhooks/${id}/test`)).body.data.id);
    await deliveryWith(client, id, ({ attempts }) => attempts > 0);
    await patchWebhook(client, id, { enabled: false });
    const [old, recent, newest] = deliveries;
    const age = 'update webhook_deliveries set created_at = now() - $2::interval where id = $1';
    await service.sql(age, [old, '31 days']);
    await service.sql(age, [recent, '29 days']);
    const collect = async (...args: string[]) =>
      (await service.sluiceJson<{ webhook_deliveries: { count: number } }>('gc', ...args)).webhook_deliveries;
    const dryRun = await collect('--dry-run');
    assert.deepEqual(dryRun, { count: 1, names: [`${service.tenantId}/${old}`] });
    assert.deepEqual(await collect(), { count: 1 });
    const left = await listDeliveries(client, id);
    assert.deepEqual(
      left.map(({ id }) => id),
      [newest, recent],
    );
    // The tenant becomes due again, although nothing was inserted in the meantime.
    await service.sql(age, [recent, '31 days']);
    await service.ownerSql(
      "update tenant_housekeeping set oldest_delivery_at = now() - interval '31 days' where tenant_id = $1",
      [service.tenantId],
    );
    assert.deepEqual(await collect(), { count: 1 });
    await remove(id);
  });
});
