import type { Queryable } from '../db/transaction.ts';

/**
 * Lets one transaction at a time change who may do what in a tenant: each judges what the one before it has left.
 * Does not hold up uploads, which only refer to the tenant.
 */
export async function lockAccess(client: Queryable, tenantId: string): Promise<void> {
  await client.query('select from tenants where tenant_id = $1 for no key update', [tenantId]);
}
