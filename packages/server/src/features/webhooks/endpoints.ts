import { z } from 'zod';
import { asTenant } from '../../db/transaction.ts';
import type { ApiDependencies } from '../../http/endpoints/dependencies.ts';
import { type Endpoint, withBody } from '../../http/endpoints/endpoint.ts';
import { getEndpoint, listEndpoint } from '../../http/endpoints/resource-endpoints.ts';
import { filter } from '../../jsonapi/filters.ts';
import { documentOf } from '../../jsonapi/schemas.ts';
import {
  listWebhooks,
  WEBHOOKS,
  webhookResource,
  webhookResourceType,
  webhooks,
  webhooksWithSecret,
  webhookUrl,
} from './resource.ts';
import {
  createWebhook,
  newWebhook,
  removeWebhook,
  rotateSecret,
  updateWebhook,
  type WebhookWithSecret,
  webhookChanges,
} from './write-webhook.ts';

const tag = 'Webhooks';
const common = { tag, access: webhookResourceType.access } as const;
const readOptions = { resourceType: webhookResourceType, tag } as const;

/** The webhook endpoints. A secret is returned only when it is created. */
export function webhookEndpoints(dependencies: ApiDependencies): readonly Endpoint[] {
  const { pool, publicUrl, webhooksAllowPrivateAddresses } = dependencies;
  const withSecret = ({ row, secret }: WebhookWithSecret) => {
    const resource = webhookResource(row, publicUrl());
    return { data: { ...resource, attributes: { ...resource.attributes, secret } } };
  };
  const list = listEndpoint(dependencies, {
    ...readOptions,
    operationId: 'listWebhooks',
    summary: 'List webhooks',
    responseDescription: 'A page of webhooks.',
    filters: {
      enabled: filter({
        description: 'Returns webhooks that are enabled (`true`) or disabled (`false`).',
        schema: z.enum(['true', 'false']),
        condition: (enabled) => ({
          sql: () => `w.disabled_at is ${enabled === 'true' ? 'null' : 'not null'}`,
        }),
      }),
    },
    sorts: { inserted_at: { sql: 'w.created_at', type: 'timestamptz' } },
    defaultSort: 'inserted_at',
    select: listWebhooks,
  });

  const get = getEndpoint(dependencies, {
    ...readOptions,
    operationId: 'getWebhook',
    summary: 'Get a webhook',
    description: 'The response does not contain the secret.',
    responseDescription: 'The webhook, without its secret.',
  });

  const create = withBody({
    ...common,
    method: 'POST',
    path: '/webhooks',
    operationId: 'createWebhook',
    summary: 'Create a webhook',
    description:
      'Only this response contains the secret; it cannot be retrieved again. Returns `422` for a host that is not a public address, and if the tenant has the maximum number of webhooks.',
    // Sparse fieldsets are not supported, because they could omit the secret, which is returned only once.
    query: { fields: {} },
    body: newWebhook,
    responses: {
      201: {
        description: 'The new webhook, including its secret.',
        schema: documentOf(webhooksWithSecret),
        headers: { Location: 'URL of the new webhook.' },
      },
    },
    errors: [404, 422],
    handle: async (call, body) => {
      const created = await asTenant(pool, call.access.tenantId, (client) =>
        createWebhook(client, call, body, webhooksAllowPrivateAddresses),
      );
      const headers = { location: webhookUrl(publicUrl(), created.row.id) };
      return { status: 201, headers, document: withSecret(created) };
    },
  });

  const update = withBody({
    ...common,
    method: 'PATCH',
    path: '/webhooks/{id}',
    resourceType: webhookResourceType,
    operationId: 'updateWebhook',
    summary: 'Update a webhook',
    description:
      'Changes the URL, the description, the events or the providers of a webhook, and disables or enables it. Deliveries that are pending are sent to the new URL. Returns `422` for a host that is not a public address.',
    query: { fields: { [WEBHOOKS]: webhooks.attributes } },
    body: webhookChanges,
    responses: { 200: { description: 'The updated webhook.', schema: documentOf(webhooks) } },
    errors: [422],
    handle: async (call, body) => {
      const row = await asTenant(pool, call.access.tenantId, (client) =>
        updateWebhook(client, call, body, webhooksAllowPrivateAddresses),
      );
      const data = webhookResource(row, publicUrl(), call.query.fields.get(WEBHOOKS));
      return { status: 200, document: { data } };
    },
  });

  const rotate: Endpoint = {
    ...common,
    method: 'POST',
    path: '/webhooks/{id}/rotate-secret',
    resourceType: webhookResourceType,
    operationId: 'rotateWebhookSecret',
    summary: "Rotate a webhook's secret",
    description:
      'Only this response contains the new secret. For 24 hours, deliveries have a second signature by the previous secret. If you rotate the secret again in the meantime, only the latest two secrets sign.',
    query: { fields: {} },
    responses: {
      200: {
        description: 'The webhook, including its new secret.',
        schema: documentOf(webhooksWithSecret),
      },
    },
    handle: async (call) => {
      const rotated = await asTenant(pool, call.access.tenantId, (client) => rotateSecret(client, call));
      return { status: 200, document: withSecret(rotated) };
    },
  };

  const remove: Endpoint = {
    ...common,
    method: 'DELETE',
    path: '/webhooks/{id}',
    resourceType: webhookResourceType,
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: 'Also deletes its deliveries. Pending deliveries are not sent.',
    query: { fields: {} },
    responses: { 204: { description: 'The webhook was deleted.' } },
    handle: async (call) => {
      await asTenant(pool, call.access.tenantId, (client) => removeWebhook(client, call));
      return { status: 204 };
    },
  };
  return [list, get, create, update, rotate, remove];
}
