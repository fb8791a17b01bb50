import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { makeKey } from '../../support/access-resources.ts';
import { type Client, createClient } from '../../support/client.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { record } from '../../support/records.ts';
import { assertRefused } from '../../support/refusal.ts';
import { createSecondTenant } from '../../support/second-tenant.ts';
import {
  type DeliveryObject,
  deleteWebhooks,
  listDeliveries,
  makeWebhook,
  patchWebhook,
  post,
  postWebhook,
} from '../../support/webhook-receiver.ts';

/** A name that no server resolves (RFC 6761, section 6.4). */
const URL_TEXT = 'https://receiver.invalid/';
const NOT_FOUND = { status: 404, code: 'not_found', detail: /^No webhook has this ID\.$/ };

describe('access to webhooks', () => {
  let service: SharedService;
  let client: Client;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
  });
  afterEach(() => deleteWebhooks(client));
  after(() => service.leave());

  it('requires the permission manage_account for webhooks and their deliveries', async () => {
    const { id } = await makeWebhook(client, { url: URL_TEXT });
    const delivery = (await post<DeliveryObject>(client, `/webhooks/${id}/test`)).body.data.id;
    const others = ['manage_ingestions', 'read_findings', 'manage_providers', 'manage_users', 'manage_scans'];
    const without = client.as((await makeKey(client, { name: 'test', permissions: others })).key);
    const denied = { status: 401, code: 'invalid_api_key', detail: /manage_account/ };
    const requests = [
      () => without.get('/webhooks'),
      () => without.get(`/webhooks/${id}`),
      () => postWebhook(without, { url: URL_TEXT }),
      () => patchWebhook(without, id, { enabled: false }),
      () => post(without, `/webhooks/${id}/rotate-secret`),
      () => post(without, `/webhooks/${id}/test`),
      () => without.delete(`/webhooks/${id}`),
      () => without.get(`/webhooks/${id}/deliveries`),
      () => without.get(`/webhook-deliveries/${delivery}`),
      () => post(without, `/webhook-deliveries/${delivery}/repeat`),
    ];
    for (const request of requests) {
      const response = await request();
      const [error] = response.body.errors;
      assert.deepEqual([response.status, error?.code], [denied.status, denied.code], JSON.stringify(error));
      assert.match(error?.detail ?? '', denied.detail);
    }
  });

  it("hides webhooks and deliveries from other tenants, and does not send other tenants' events", async () => {
    const { id } = await makeWebhook(client, { url: URL_TEXT });
    const delivery = (await post<DeliveryObject>(client, `/webhooks/${id}/test`)).body.data.id;
    const { client: other } = await createSecondTenant(service);
    assert.deepEqual((await other.get<readonly unknown[]>('/webhooks')).body.data, []);
    for (const response of [
      await other.get(`/webhooks/${id}`),
      await patchWebhook(other, id, { enabled: false }),
      await post(other, `/webhooks/${id}/rotate-secret`),
      await post(other, `/webhooks/${id}/test`),
      await other.delete(`/webhooks/${id}`),
      await other.get(`/webhooks/${id}/deliveries`),
    ])
      assertRefused(response, NOT_FOUND);
    for (const response of [
      await other.get(`/webhook-deliveries/${delivery}`),
      await post(other, `/webhook-deliveries/${delivery}/repeat`),
    ])
      assertRefused(response, { ...NOT_FOUND, detail: /^No delivery has this ID\.$/ });
    await other.ingest([record({ cloud: { account: { uid: 'of-the-second' } } })]);
    assert.deepEqual(
      (await listDeliveries(client, id)).map(({ id }) => id),
      [delivery],
    );
  });
});
