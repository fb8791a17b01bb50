import { isDistributed } from '../db/distribution.ts';
import { inTransaction, type Queryable } from '../db/transaction.ts';

// The queue is on the coordinator of a distributed database, and deliveries are on the node of their tenant, which commits
// first. If the coordinator crashes in between, a delivery is pending but not queued, or queued although it has ended.
// `requeueDeliveries` repairs the former, and the worker that claims the delivery repairs the latter.

/** A delivery that this worker holds. The open transaction locks its row in the queue. */
export interface ClaimedDelivery {
  readonly tenantId: string;
  readonly webhookId: string;
  readonly deliveryId: string;
}

/** Deliveries that must not be claimed, because the process already sends to these webhooks or for these tenants. */
export interface Busy {
  readonly webhookIds: readonly string[];
  readonly tenantIds: readonly string[];
}

/**
 * Claims a delivery that is due for the open transaction, from the first tenant after `afterTenant` that has one
 * (round-robin), oldest first.
 */
export async function claimDelivery(
  client: Queryable,
  afterTenant: string,
  { webhookIds, tenantIds }: Busy,
): Promise<ClaimedDelivery | undefined> {
  const { rows } = await client.query<ClaimedDelivery>(
    `select tenant_id as "tenantId", webhook_id as "webhookId", delivery_id as "deliveryId" from webhook_queue
     where available_at <= statement_timestamp() and webhook_id <> all ($2::uuid[]) and tenant_id <> all ($3::uuid[])
     order by tenant_id <= $1, tenant_id, available_at, delivery_id limit 1 for update skip locked`,
    [afterTenant, webhookIds, tenantIds],
  );
  return rows[0];
}

/** Milliseconds until the next delivery is due; `undefined` if none will be. */
export async function msUntilNextDelivery(client: Queryable): Promise<number | undefined> {
  const { rows } = await client.query<{ delay: number | null }>(
    `select extract(epoch from min(available_at) - clock_timestamp())::float8 * 1000 as delay
     from webhook_queue where available_at > statement_timestamp()`,
  );
  return rows[0]?.delay ?? undefined;
}

/** Queues new deliveries, in the open transaction. */
export async function queueDeliveries(
  client: Queryable,
  tenantId: string,
  deliveries: readonly { readonly id: string; readonly webhookId: string }[],
): Promise<void> {
  await client.query(
    `insert into webhook_queue (tenant_id, delivery_id, webhook_id)
     select $1, d.* from unnest($2::uuid[], $3::uuid[]) as d on conflict do nothing`,
    [tenantId, deliveries.map(({ id }) => id), deliveries.map(({ webhookId }) => webhookId)],
  );
}

/**
 * Queues the pending deliveries of a tenant that are not queued, in a short transaction. Call it if a transaction that
 * may have inserted deliveries was interrupted. Has an effect only in a distributed database.
 */
export async function requeueDeliveries(client: Queryable, tenantId: string): Promise<void> {
  if (!isDistributed(client)) return;
  await inTransaction(client, tenantId, async () => {
    const { rows } = await client.query<{ id: string; webhookId: string }>(
      `select id, webhook_id as "webhookId" from webhook_deliveries where tenant_id = $1 and status = 'pending'`,
      [tenantId],
    );
    if (rows.length > 0) await queueDeliveries(client, tenantId, rows);
  });
}

/** Makes a delivery due now, unless a worker is sending it. */
export async function expediteDelivery(
  client: Queryable,
  tenantId: string,
  deliveryId: string,
): Promise<void> {
  await client.query(
    `update webhook_queue set available_at = clock_timestamp() where tenant_id = $1 and delivery_id in (
       select delivery_id from webhook_queue where tenant_id = $1 and delivery_id = $2 for update skip locked)`,
    [tenantId, deliveryId],
  );
}

/** Makes a claimed delivery due again after a delay. */
export async function rescheduleDelivery(
  client: Queryable,
  { tenantId, deliveryId }: ClaimedDelivery,
  delayMs: number,
): Promise<void> {
  await client.query(
    `update webhook_queue set available_at = clock_timestamp() + $3 * interval '1 millisecond'
     where tenant_id = $1 and delivery_id = $2`,
    [tenantId, deliveryId, delayMs],
  );
}

/** Removes a claimed delivery from the queue. */
export async function dequeueDelivery(
  client: Queryable,
  { tenantId, deliveryId }: ClaimedDelivery,
): Promise<void> {
  await client.query('delete from webhook_queue where tenant_id = $1 and delivery_id = $2', [
    tenantId,
    deliveryId,
  ]);
}

/** Removes the deliveries of a webhook from the queue, except those that workers are sending. */
export async function dequeueWebhook(client: Queryable, tenantId: string, webhookId: string): Promise<void> {
  await client.query(
    `delete from webhook_queue where tenant_id = $1 and delivery_id in (
       select delivery_id from webhook_queue where tenant_id = $1 and webhook_id = $2 for update skip locked)`,
    [tenantId, webhookId],
  );
}
