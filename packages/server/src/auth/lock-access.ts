import type { Queryable } from '../db/transaction.ts';

/**
 * Serializes the transactions that change a tenant's users, roles and keys, so that each transaction sees the changes
 * of the previous one. Does not block uploads, which only reference the tenant.
 */
export async function lockAccess(client: Queryable, tenantId: string): Promise<void> {
  await client.query('select from tenants where tenant_id = $1 for no key update', [tenantId]);
}
