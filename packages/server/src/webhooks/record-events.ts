import { v7 as uuidv7 } from 'uuid';
import type { Queryable } from '../db/transaction.ts';
import { queueDeliveries } from './delivery-queue.ts';
import type { EventData, EventType } from './event-types.ts';
import { slackMessageOf } from './slack-messages.ts';

/** The formats of request bodies: that of Standard Webhooks, and that of Slack's incoming webhooks. */
export const FORMATS = ['standard', 'slack'] as const;
export type Format = (typeof FORMATS)[number];

/** An enabled webhook that receives at least one of the requested types of events. */
export interface Subscriber {
  readonly id: string;
  readonly format: Format;
  readonly events: readonly string[];
  /** The providers whose ingestions it receives; null for all. */
  readonly providerIds: readonly string[] | null;
  /** The severities of changed findings that it receives; null for all. */
  readonly severities: readonly string[] | null;
}

export interface WebhookEvent<Type extends EventType> {
  /** In ISO 8601 format with microseconds and `Z`. */
  readonly time: string;
  readonly data: EventData<Type>;
  /** The webhooks that receive the event. */
  readonly subscribers: readonly Pick<Subscriber, 'id' | 'format'>[];
}

/**
 * Returns the enabled webhooks that receive one of these types of events. They cannot be deleted before the open
 * transaction ends.
 */
export async function findSubscribers(
  client: Queryable,
  tenantId: string,
  types: readonly EventType[],
): Promise<readonly Subscriber[]> {
  const { rows } = await client.query<Subscriber>(
    `select id, format, events, provider_ids as "providerIds", severities from webhooks
     where tenant_id = $1 and disabled_at is null and events && $2::text[] order by id for key share`,
    [tenantId, types],
  );
  return rows;
}

/** Deliveries per statement, which bounds its memory. */
const MAX_DELIVERIES = 500;

/**
 * Inserts and queues the deliveries of events of one type to webhooks that `findSubscribers` returned, in the
 * transaction that causes the events. The bodies are final, so that each attempt sends the same one. Returns the ids of
 * the deliveries.
 */
export async function recordEvents<Type extends EventType>(
  client: Queryable,
  tenantId: string,
  type: Type,
  events: readonly WebhookEvent<Type>[],
): Promise<readonly string[]> {
  const ids: string[] = [];
  let deliveries: NewDelivery[] = [];
  const insert = async () => {
    await insertDeliveries(client, tenantId, type, deliveries);
    ids.push(...deliveries.map(({ id }) => id));
    deliveries = [];
  };
  for (const event of events) {
    deliveries.push(...deliveriesOf(type, event));
    if (deliveries.length >= MAX_DELIVERIES) await insert();
  }
  if (deliveries.length > 0) await insert();
  return ids;
}

interface NewDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly payload: string;
}

function deliveriesOf<Type extends EventType>(
  type: Type,
  { time, data, subscribers }: WebhookEvent<Type>,
): readonly NewDelivery[] {
  const eventId = uuidv7();
  // Standard Webhooks, "Payload structure"; Slack, "Sending messages using incoming webhooks".
  const bodies = {
    standard: () => JSON.stringify({ type, timestamp: time, data }),
    slack: () => JSON.stringify({ text: slackMessageOf(type, data) }),
  };
  return subscribers.map(({ id, format }) => ({
    id: uuidv7(),
    webhookId: id,
    eventId,
    payload: bodies[format](),
  }));
}

async function insertDeliveries(
  client: Queryable,
  tenantId: string,
  type: EventType,
  deliveries: readonly NewDelivery[],
): Promise<void> {
  await client.query(
    `insert into webhook_deliveries (tenant_id, id, webhook_id, event_id, event_type, payload, created_at, next_attempt_at)
     select t.tenant_id, d.id, d.webhook_id, d.event_id, $2::text, d.payload, statement_timestamp(), statement_timestamp()
     from tenants t cross join unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::text[]) as d (id, webhook_id, event_id, payload)
     where t.tenant_id = $1`,
    [
      tenantId,
      type,
      deliveries.map(({ id }) => id),
      deliveries.map(({ webhookId }) => webhookId),
      deliveries.map(({ eventId }) => eventId),
      deliveries.map(({ payload }) => payload),
    ],
  );
  await queueDeliveries(client, tenantId, deliveries);
}
