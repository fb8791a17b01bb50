import type pg from 'pg';
import { inTenant } from '../../access/administration.ts';
import { OperatorError } from '../../operator-error.ts';

/** A live provider: one account that counts toward the subscription (specification, billing rule). */
export interface Provider {
  readonly id: string;
  readonly type: string;
  readonly account: string;
  readonly name: string | null;
  readonly findings: number;
  readonly created_at: string;
}

export async function listProviders(pool: pg.Pool, tenantId: string): Promise<Provider[]> {
  return await inTenant(pool, tenantId, async (client) => {
    const { rows } = await client.query<Omit<Provider, 'created_at'> & { created_at: Date }>(
      `select p.id, p.type, p.account, p.name, p.created_at, count(f.id)::float8 as findings
       from providers p left join findings f on f.tenant_id = p.tenant_id and f.provider_id = p.id
       where p.tenant_id = $1 and p.deleted_at is null
       group by p.tenant_id, p.id order by p.type, p.account`,
      [tenantId],
    );
    return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
  });
}

/** Frees the account's count and removes its findings; should it come back, it is a new provider. */
export async function deleteProvider(
  pool: pg.Pool,
  tenantId: string,
  id: string,
): Promise<{ id: string; deleted_at: string }> {
  return await inTenant(pool, tenantId, async (client) => {
    const { rows } = await client.query<{ deleted_at: Date }>(
      `update providers set deleted_at = now() where tenant_id = $1 and id = $2 and deleted_at is null returning deleted_at`,
      [tenantId, id],
    );
    const deletedAt = rows[0]?.deleted_at;
    if (deletedAt === undefined) throw new OperatorError(`the tenant has no provider ${id}`);
    await client.query('delete from findings where tenant_id = $1 and provider_id = $2', [tenantId, id]);
    return { id, deleted_at: deletedAt.toISOString() };
  });
}
