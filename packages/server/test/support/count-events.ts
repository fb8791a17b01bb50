import type { TenantService } from './service.ts';

/** Returns the number of audit events across all tenants. */
export async function countEvents({ sql }: TenantService): Promise<number> {
  const [row] = await sql<{ count: number }>('select count(*)::int as count from audit_events');
  return row?.count ?? Number.NaN;
}
