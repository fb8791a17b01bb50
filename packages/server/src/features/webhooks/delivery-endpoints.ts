import { WEBHOOKS_CHANNEL } from '../../db/notifications.ts';
import { asTenant, type Queryable } from '../../db/transaction.ts';
import type { ApiDependencies } from '../../http/endpoints/dependencies.ts';
import type { Call, Endpoint } from '../../http/endpoints/endpoint.ts';
import { getEndpoint } from '../../http/endpoints/resource-endpoints.ts';
import { findExisting } from '../../http/endpoints/resource-type.ts';
import { enumFilters } from '../../jsonapi/filters.ts';
import { listResponse } from '../../jsonapi/page.ts';
import { documentOf, listOf } from '../../jsonapi/schemas.ts';
import { expediteDelivery, queueDeliveries } from '../../webhooks/delivery-queue.ts';
import { recordEvents } from '../../webhooks/record-events.ts';
import {
  DELIVERY_STATUSES,
  deliveryResource,
  deliveryResourceType,
  deliveryUrl,
  listDeliveries,
  WEBHOOK_DELIVERIES,
  webhookDeliveries,
} from './delivery-resource.ts';
import { webhookResourceType } from './resource.ts';
import { assertEnabled } from './write-webhook.ts';

const tag = 'Webhooks';
const common = { tag, access: deliveryResourceType.access } as const;
const query = { fields: { [WEBHOOK_DELIVERIES]: webhookDeliveries.attributes } };
const queued = (description: string) => ({
  202: { description, schema: documentOf(webhookDeliveries), headers: { Location: 'URL of the delivery.' } },
});

/** The endpoints that list, repeat and test the deliveries of webhooks. */
export function webhookDeliveryEndpoints(dependencies: ApiDependencies): readonly Endpoint[] {
  const { pool, publicUrl } = dependencies;
  /** Queues a delivery in a transaction, and wakes workers. */
  const queue = async (call: Call, work: (client: Queryable) => Promise<string>) => {
    const { tenantId } = call.access;
    const row = await asTenant(pool, tenantId, async (client) => {
      const id = await work(client);
      await client.query(`notify ${WEBHOOKS_CHANNEL}`);
      return await findExisting(deliveryResourceType, client, tenantId, id);
    });
    const data = deliveryResource(row, publicUrl(), call.query.fields.get(WEBHOOK_DELIVERIES));
    return { status: 202, headers: { location: deliveryUrl(publicUrl(), row.id) }, document: { data } };
  };

  const list: Endpoint = {
    ...common,
    method: 'GET',
    path: '/webhooks/{id}/deliveries',
    resourceType: webhookResourceType,
    operationId: 'listWebhookDeliveries',
    summary: "List a webhook's deliveries",
    query: {
      ...query,
      filters: enumFilters('status', 'status', DELIVERY_STATUSES, 'text'),
      list: {
        sorts: { inserted_at: { sql: 'created_at', type: 'timestamptz' } },
        defaultSort: '-inserted_at',
        cursors: true,
      },
    },
    responses: { 200: { description: 'A page of deliveries.', schema: listOf(webhookDeliveries) } },
    handle: async ({ request, access: { tenantId }, params, query, read }) => {
      const page = await read(async (client) => {
        const { id } = await findExisting(webhookResourceType, client, tenantId, params.id);
        return await listDeliveries(client, tenantId, id, query);
      });
      const fields = query.fields.get(WEBHOOK_DELIVERIES);
      const data = page.rows.map((row) => deliveryResource(row, publicUrl(), fields));
      return listResponse({ data, page, query, request, publicUrl: publicUrl() });
    },
  };

  const get = getEndpoint(dependencies, {
    resourceType: deliveryResourceType,
    tag,
    operationId: 'getWebhookDelivery',
    summary: 'Get a delivery',
    responseDescription: 'The delivery.',
  });

  const repeat: Endpoint = {
    ...common,
    method: 'POST',
    path: '/webhook-deliveries/{id}/repeat',
    resourceType: deliveryResourceType,
    operationId: 'repeatWebhookDelivery',
    summary: 'Repeat a delivery',
    description:
      'Sends a delivery again, with the same `webhook-id` and body, and begins its schedule of attempts again. The next attempt of a pending delivery is made at once. Returns `409` (`webhook_disabled`) if the webhook is disabled.',
    query,
    responses: queued('The delivery will be sent.'),
    errors: [409],
    handle: (call) => queue(call, (client) => repeatDelivery(client, call)),
  };

  const test: Endpoint = {
    ...common,
    method: 'POST',
    path: '/webhooks/{id}/test',
    resourceType: webhookResourceType,
    operationId: 'testWebhook',
    summary: 'Test a webhook',
    description:
      'Sends an event of the type `webhook.test` to the webhook. Returns `409` (`webhook_disabled`) if the webhook is disabled.',
    query,
    responses: queued('The delivery of the test event.'),
    errors: [409],
    handle: (call) => queue(call, (client) => sendTest(client, call)),
  };
  return [list, get, repeat, test];
}

async function repeatDelivery(client: Queryable, { access: { tenantId }, params }: Call): Promise<string> {
  const delivery = await findExisting(deliveryResourceType, client, tenantId, params.id);
  const { id, webhook_id: webhookId } = delivery;
  await assertEnabled(client, tenantId, webhookId);
  await client.query(
    `update webhook_deliveries set status = 'pending', failures = 0, next_attempt_at = statement_timestamp()
     where tenant_id = $1 and id = $2`,
    [tenantId, id],
  );
  // It may still be queued, and a worker may be sending it.
  await queueDeliveries(client, tenantId, [{ id, webhookId }]);
  await expediteDelivery(client, tenantId, id);
  return id;
}

async function sendTest(client: Queryable, { access: { tenantId }, params }: Call): Promise<string> {
  const { id, format } = await findExisting(webhookResourceType, client, tenantId, params.id);
  await assertEnabled(client, tenantId, id);
  // The clock has milliseconds.
  const time = new Date().toISOString().replace('Z', '000Z');
  const event = { time, data: { webhook_id: id }, subscribers: [{ id, format }] };
  const [deliveryId] = await recordEvents(client, tenantId, 'webhook.test', [event]);
  if (deliveryId === undefined) throw new Error('the test event has no delivery');
  return deliveryId;
}
