import type { Subscription } from '../../auth/provisioning.ts';
import type { Queryable } from '../../db/transaction.ts';

/** A tenant's subscription and billed providers. */
export interface SubscriptionRow {
  readonly state: Subscription;
  /** Number of live providers by type, in alphabetical order. */
  readonly byType: readonly { readonly type: string; readonly providers: number }[];
}

/** Returns a tenant's subscription. Throws if the tenant does not exist. */
export async function findSubscription(client: Queryable, tenantId: string): Promise<SubscriptionRow> {
  const { rows } = await client.query<{ state: Subscription }>(
    'select subscription as state from tenants where tenant_id = $1',
    [tenantId],
  );
  const [tenant] = rows;
  if (tenant === undefined) throw new Error(`tenant ${tenantId} does not exist`);
  const counted = await client.query<{ type: string; providers: number }>(
    `select type, count(*)::float8 as providers from providers
     where tenant_id = $1 and deleted_at is null group by type order by type collate "C"`,
    [tenantId],
  );
  return { state: tenant.state, byType: counted.rows };
}
