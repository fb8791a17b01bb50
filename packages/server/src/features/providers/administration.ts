import type pg from 'pg';
import { asExistingTenant } from '../../auth/administration.ts';
import { recordOperatorEvent } from '../../auth/record-audit-event.ts';
import { OperatorError } from '../../lib/operator-error.ts';
import { deleteProvider, deletionEvent } from './delete-provider.ts';

/** A provider that counts toward the subscription (docs/specification.md, "What the service does"), as displayed to operators. */
export interface BilledProvider {
  readonly id: string;
  readonly type: string;
  readonly account: string;
  readonly name: string | null;
  readonly findings: number;
  readonly created_at: string;
}

/** Throws an OperatorError if the tenant does not exist. */
export async function listBilledProviders(pool: pg.Pool, tenantId: string): Promise<BilledProvider[]> {
  return await asExistingTenant(pool, tenantId, async (client) => {
    const { rows } = await client.query<Omit<BilledProvider, 'created_at'> & { created_at: Date }>(
      `select p.id, p.type, p.account, p.name, p.created_at, count(f.id)::float8 as findings
       from providers p left join findings f on f.tenant_id = p.tenant_id and f.provider_id = p.id
       where p.tenant_id = $1 and p.deleted_at is null
       group by p.tenant_id, p.id order by p.type, p.account`,
      [tenantId],
    );
    return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
  });
}

/** Throws an OperatorError if the tenant or the provider does not exist. */
export async function deleteBilledProvider(
  pool: pg.Pool,
  tenantId: string,
  id: string,
): Promise<{ id: string; deleted_at: string }> {
  return await asExistingTenant(pool, tenantId, async (client) => {
    const deleted = await deleteProvider(client, tenantId, id);
    if (deleted === undefined) throw new OperatorError(`the tenant has no provider ${id}`);
    await recordOperatorEvent(client, tenantId, deletionEvent(id, deleted));
    return { id, deleted_at: deleted.deleted_at.toISOString() };
  });
}
