import { z } from 'zod';
import { type SelectedPage, selectPage } from '../../db/paging/select-page.ts';
import type { Queryable } from '../../db/transaction.ts';
import { utcTimestamp } from '../../db/utc-timestamp.ts';
import type { ResourceType, TextLength } from '../../http/endpoints/resource-type.ts';
import { API_PREFIX } from '../../jsonapi/document.ts';
import { type Query, selectFields } from '../../jsonapi/query.ts';
import { describeResource, timestamp } from '../../jsonapi/schemas.ts';
import { briefText } from '../../jsonapi/truncate-texts.ts';
import { isUuid } from '../../jsonapi/uuid.ts';
import { MAX_ATTEMPTS } from '../../webhooks/retry-schedule.ts';
import { WEBHOOKS, webhookResourceType } from './resource.ts';

export const WEBHOOK_DELIVERIES = 'webhook-deliveries';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;

export const webhookDeliveries = describeResource({
  type: WEBHOOK_DELIVERIES,
  description: 'An event for a webhook. Kept for 30 days.',
  attributes: {
    event_id: z.uuid().meta({
      description: 'ID of the event, as in the header `webhook-id`. The same for all webhooks and attempts.',
    }),
    event_type: z.string().meta({ description: 'Type of the event, for example `ingestion.completed`.' }),
    status: z.enum(DELIVERY_STATUSES).meta({
      description: `\`pending\` until an attempt succeeds (\`delivered\`). \`failed\` after ${MAX_ATTEMPTS} attempts, or if the webhook was disabled.`,
    }),
    attempts: z.int().min(0).meta({ description: 'Number of attempts.' }),
    payload: z.string().meta({ description: 'Body of the request, the same in each attempt.' }),
    inserted_at: timestamp.meta({ description: 'Time at which the event occurred.' }),
    last_attempt_at: timestamp
      .nullable()
      .meta({ description: 'Time of the latest attempt. `null` if there was none.' }),
    next_attempt_at: timestamp
      .nullable()
      .meta({ description: 'Time of the next attempt. `null` if the delivery is not pending.' }),
    response_status: z
      .int()
      .nullable()
      .meta({ description: 'Status of the latest response. `null` if there was no response.' }),
    response_body: z.string().nullable().meta({
      description: 'First 1,000 characters of the latest response. `null` if there was no response.',
    }),
    error: z.string().nullable().meta({
      description:
        'Why there was no response to the latest attempt, or why no further attempt is made. `null` if there is no such reason.',
    }),
  },
  relationships: { webhook: WEBHOOKS },
});

/** A delivery as returned by the API. Times are in ISO 8601 format with microseconds and `Z`. */
export interface DeliveryRow {
  readonly id: string;
  readonly webhook_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly status: (typeof DELIVERY_STATUSES)[number];
  readonly attempts: number;
  readonly payload: string;
  readonly inserted_at: string;
  readonly last_attempt_at: string | null;
  readonly next_attempt_at: string | null;
  readonly response_status: number | null;
  readonly response_body: string | null;
  readonly error: string | null;
}

/** Returns the URL of a delivery. */
export function deliveryUrl(publicUrl: string, id: string): string {
  return `${publicUrl}${API_PREFIX}/${WEBHOOK_DELIVERIES}/${id}`;
}

/** Converts a delivery to a resource object. */
export function deliveryResource(row: DeliveryRow, publicUrl: string, fields?: ReadonlySet<string>) {
  // Listed explicitly, because the rows of cursor-based pages have an additional column.
  const attributes = {
    event_id: row.event_id,
    event_type: row.event_type,
    status: row.status,
    attempts: row.attempts,
    payload: row.payload,
    inserted_at: row.inserted_at,
    last_attempt_at: row.last_attempt_at,
    next_attempt_at: row.next_attempt_at,
    response_status: row.response_status,
    response_body: row.response_body,
    error: row.error,
  };
  return {
    type: WEBHOOK_DELIVERIES,
    id: row.id,
    attributes: selectFields(attributes, fields),
    relationships: { webhook: { data: { type: WEBHOOKS, id: row.webhook_id } } },
    links: { self: deliveryUrl(publicUrl, row.id) },
  };
}

/** `text` truncates long strings in lists. */
const columns = (text = (sql: string) => sql) => `id, webhook_id, event_id, event_type, status, attempts,
  ${text('payload')} as payload, ${utcTimestamp('created_at')} as inserted_at,
  ${utcTimestamp('last_attempt_at')} as last_attempt_at, ${utcTimestamp('next_attempt_at')} as next_attempt_at,
  response_status, response_body, error`;

/** Selects a page of the deliveries of a webhook. */
export async function listDeliveries(
  client: Queryable,
  tenantId: string,
  webhookId: string,
  query: Query,
): Promise<SelectedPage<DeliveryRow>> {
  const source = {
    columns: columns(briefText),
    table: 'webhook_deliveries',
    tieBreaker: { sql: 'id', type: 'uuid', descending: true },
    conditions: [{ sql: (bind: (value: unknown) => string) => `webhook_id = ${bind(webhookId)}::uuid` }],
  };
  return await selectPage<DeliveryRow>(client, source, tenantId, query);
}

/** Returns the deliveries with these ids, in any order. Unknown ids are skipped. */
async function findDeliveriesByIds(
  client: Queryable,
  tenantId: string,
  ids: readonly string[],
  _fields?: ReadonlySet<string>,
  textLength: TextLength = 'full',
): Promise<readonly DeliveryRow[]> {
  const { rows } = await client.query<DeliveryRow>(
    `select ${textLength === 'brief' ? columns(briefText) : columns()} from webhook_deliveries
     where tenant_id = $1 and id = any($2::uuid[])`,
    [tenantId, ids],
  );
  return rows;
}

/** Deliveries. They require the permission of their webhooks. */
export const deliveryResourceType: ResourceType<DeliveryRow> = {
  resource: webhookDeliveries,
  access: webhookResourceType.access,
  isId: isUuid,
  findByIds: findDeliveriesByIds,
  toResource: deliveryResource,
  notFoundDetail: 'No delivery has this ID.',
};
