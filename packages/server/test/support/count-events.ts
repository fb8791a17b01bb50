import type { TenantService } from './service.ts';

/** How many events the audit trail of all tenants has. */
export async function countEvents({ sql }: TenantService): Promise<number> {
  const [row] = await sql<{ count: number }>('select count(*)::int as count from audit_events');
  return row?.count ?? Number.NaN;
}
