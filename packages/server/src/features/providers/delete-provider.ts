import type { AuditEvent } from '../../auth/record-audit-event.ts';
import { REMOVALS_CHANNEL } from '../../db/channels.ts';
import type { Queryable } from '../../db/transaction.ts';
import { PROVIDERS } from '../../resources/providers.ts';

export interface DeletedProvider {
  readonly type: string;
  readonly account: string;
  readonly deleted_at: Date;
}

/**
 * Marks a provider as deleted in the current transaction. It no longer counts toward the subscription, and its rows are
 * no longer visible. `jobs/remove-deleted-providers.ts` removes the rows later. Uploading findings of the same account
 * again creates a new provider. Returns `undefined` if the tenant has no live provider with this id.
 */
export async function deleteProvider(
  client: Queryable,
  tenantId: string,
  id: string,
): Promise<DeletedProvider | undefined> {
  const { rows } = await client.query<DeletedProvider>(
    `with deleted as (
       update providers set deleted_at = now() where tenant_id = $1 and id = $2 and deleted_at is null
       returning id, type, account, deleted_at
     ), queued as (
       insert into provider_removals (tenant_id, provider_id) select $1, id from deleted
     )
     select type, account, deleted_at, pg_notify('${REMOVALS_CHANNEL}', '') from deleted`,
    [tenantId, id],
  );
  return rows[0];
}

/** Includes the account, which cannot be looked up after the deletion. */
export function deletionEvent(id: string, { type, account }: DeletedProvider): AuditEvent {
  return { action: 'provider.deleted', targetType: PROVIDERS, targetId: id, changes: { type, account } };
}
