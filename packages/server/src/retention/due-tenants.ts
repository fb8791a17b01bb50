import { inTransaction, type Queryable } from '../db/transaction.ts';
import type { Cutoffs } from './collection-run.ts';

/**
 * Returns the tenants that may have data to collect. Each part of the query uses an index, so its cost does not depend
 * on the number of tenants.
 */
export async function findDueTenants(
  client: Queryable,
  { idempotencyKey, file, dryRunFile, job, event, delivery }: Cutoffs,
): Promise<readonly string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select tenant_id as id from tenant_housekeeping where oldest_key_at < $1
     union select tenant_id from tenant_housekeeping where oldest_file_at < $2
     union select tenant_id from tenant_housekeeping where oldest_job_at < $3
     union select tenant_id from tenant_housekeeping where oldest_event_at < $4
     union select tenant_id from tenant_housekeeping where oldest_delivery_at < $5
     union select tenant_id from tenant_housekeeping where oldest_dry_run_at < $6
     union select tenant_id from garbage_collection_queue`,
    [idempotencyKey, file, job, event, delivery, dryRunFile],
  );
  return rows.map(({ id }) => id);
}

/**
 * Removes the tenant from the queue before its data is examined, so that a change that commits later queues it again
 * for the next run. The tenant stays due until `endVisit`, in case this process is killed.
 */
export async function beginVisit(client: Queryable, tenantId: string): Promise<void> {
  await client.query(
    `with taken as (delete from garbage_collection_queue where tenant_id = $1)
     update tenant_housekeeping set oldest_key_at = '-infinity' where tenant_id = $1`,
    [tenantId],
  );
}

/**
 * Records the oldest data that is newer than these cutoffs. Older jobs are excluded: each is still
 * referenced by a finding, and any change to a finding queues the tenant. The values are the timestamps of the data,
 * not due times, so that they remain valid when the retention settings change.
 */
export async function endVisit(client: Queryable, tenantId: string, { file, job }: Cutoffs): Promise<void> {
  await inTransaction(client, tenantId, () =>
    client.query(
      `update tenant_housekeeping set
         oldest_key_at = (select min(inserted_at) from idempotency_keys where tenant_id = $1),
         oldest_delivery_at = (select min(created_at) from webhook_deliveries where tenant_id = $1),
         oldest_file_at = (select min(completed_at) from ingestions
           where tenant_id = $1 and completed_at >= $2 and blob_removed_at is null),
         oldest_dry_run_at = (select min(completed_at) from ingestions
           where tenant_id = $1 and dry_run and blob_removed_at is null),
         oldest_job_at = (select min(completed_at) from ingestions where tenant_id = $1 and completed_at >= $3),
         oldest_event_at = (select min(learned_at) from finding_events where tenant_id = $1)
       where tenant_id = $1`,
      [tenantId, file, job],
    ),
  );
}
