import type { Queryable } from '../db/transaction.ts';

/**
 * Serializes the transactions that change users, roles and keys of a tenant, so that each one sees the result of the
 * previous one. Does not block uploads, which only reference the tenant.
 */
export async function lockAccess(client: Queryable, tenantId: string): Promise<void> {
  await client.query('select from tenants where tenant_id = $1 for no key update', [tenantId]);
}
