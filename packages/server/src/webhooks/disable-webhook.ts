import type { Queryable } from '../db/transaction.ts';
import { dequeueWebhook } from './delivery-queue.ts';

/**
 * Why a webhook is disabled: by a user, after the last attempt at a delivery failed, or because the receiver returned
 * 410.
 */
export const DISABLED_REASONS = ['user', 'failed', 'gone'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** The state of a webhook that the open transaction has locked. */
interface LockedWebhook {
  readonly isEnabled: boolean;
}

/**
 * Locks a webhook, so that its state does not change before the open transaction ends. Take this lock before those of
 * its deliveries, so that two transactions never deadlock. Returns `undefined` if it does not exist.
 */
export async function lockWebhook(
  client: Queryable,
  tenantId: string,
  id: string,
): Promise<LockedWebhook | undefined> {
  const { rows } = await client.query<LockedWebhook>(
    `select disabled_at is null as "isEnabled" from webhooks where tenant_id = $1 and id = $2 for no key update`,
    [tenantId, id],
  );
  return rows[0];
}

/** Disables a locked, enabled webhook, and ends its pending deliveries. */
export async function disableWebhook(
  client: Queryable,
  tenantId: string,
  id: string,
  reason: DisabledReason,
): Promise<void> {
  await client.query(
    `update webhooks set disabled_at = statement_timestamp(), disabled_reason = $3
     where tenant_id = $1 and id = $2`,
    [tenantId, id, reason],
  );
  await endPendingDeliveries(client, tenantId, id);
  await dequeueWebhook(client, tenantId, id);
}

/** Ends the pending deliveries of a locked, disabled webhook. The caller removes them from the queue. */
export async function endPendingDeliveries(client: Queryable, tenantId: string, id: string): Promise<void> {
  await client.query(
    `update webhook_deliveries set status = 'failed', next_attempt_at = null, error = 'The webhook was disabled.'
     where tenant_id = $1 and webhook_id = $2 and status = 'pending'`,
    [tenantId, id],
  );
}
