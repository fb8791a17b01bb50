import type pg from 'pg';
import { asExistingTenant } from '../../auth/operator-commands.ts';
import { type AuditEvent, recordOperatorEvent } from '../../auth/record-audit-event.ts';
import { REMOVALS_CHANNEL } from '../../db/notifications.ts';
import type { Queryable } from '../../db/transaction.ts';
import { OperatorError } from '../../lib/errors.ts';
import { PROVIDERS, providerResourceType } from '../../resources/providers.ts';
import { findProducts, type ProviderProduct } from './products.ts';
import { resolutionEvent, resolveProduct, withReservedWork } from './resolve-product.ts';

export interface DeletedProvider {
  readonly type: string;
  readonly account: string;
  readonly deleted_at: Date;
}

/**
 * Marks a provider as deleted in the current transaction. It no longer counts toward the subscription, and its rows are
 * no longer visible. `retention/remove-deleted-providers.ts` removes the rows later. Uploading findings of the same
 * account again creates a new provider. Returns `undefined` if the tenant has no live provider with this id.
 */
export async function deleteProvider(
  client: Queryable,
  tenantId: string,
  id: string,
): Promise<DeletedProvider | undefined> {
  const { rows } = await client.query<DeletedProvider>(
    `update providers set deleted_at = now() where tenant_id = $1 and id = $2 and deleted_at is null
     returning type, account, deleted_at`,
    [tenantId, id],
  );
  if (rows[0] === undefined) return undefined;
  await client.query('insert into provider_removals (tenant_id, provider_id) values ($1, $2)', [
    tenantId,
    id,
  ]);
  await client.query(`notify ${REMOVALS_CHANNEL}`);
  return rows[0];
}

/** The audit event of a deletion. Includes the account, which cannot be looked up after the deletion. */
export function deletionEvent(id: string, { type, account }: DeletedProvider): AuditEvent {
  return { action: 'provider.deleted', targetType: PROVIDERS, targetId: id, changes: { type, account } };
}

/**
 * A provider that counts toward the subscription (docs/specification.md, "What the service does"), as displayed to
 * operators.
 */
export interface BilledProvider {
  readonly id: string;
  readonly type: string;
  readonly account: string;
  readonly name: string | null;
  /** Number of open findings. */
  readonly findings: number;
  readonly created_at: string;
}

/** Lists a tenant's billed providers. Throws an OperatorError if the tenant does not exist. */
export async function listBilledProviders(pool: pg.Pool, tenantId: string): Promise<BilledProvider[]> {
  return await asExistingTenant(pool, tenantId, async (client) => {
    const { rows } = await client.query<Omit<BilledProvider, 'created_at'> & { created_at: Date }>(
      `select p.id, p.type, p.account, p.name, p.created_at, count(f.id)::float8 as findings
       from providers p left join findings f
         on f.tenant_id = p.tenant_id and f.provider_id = p.id and f.resolved_at is null
       where p.tenant_id = $1 and p.deleted_at is null
       group by p.tenant_id, p.id order by p.type, p.account`,
      [tenantId],
    );
    return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
  });
}

/** Deletes a provider for an operator. Throws an OperatorError if the tenant or the provider does not exist. */
export async function deleteBilledProvider(
  pool: pg.Pool,
  tenantId: string,
  id: string,
): Promise<{ id: string; deleted_at: string }> {
  return await asExistingTenant(pool, tenantId, async (client) => {
    const deleted = await deleteProvider(client, tenantId, id);
    if (deleted === undefined) throw unknownProvider(id);
    await recordOperatorEvent(client, tenantId, deletionEvent(id, deleted));
    return { id, deleted_at: deleted.deleted_at.toISOString() };
  });
}

function unknownProvider(id: string): OperatorError {
  return new OperatorError(`the tenant has no provider ${id}`);
}

/** Lists the products of a provider. Throws an OperatorError if the tenant or the provider does not exist. */
export async function listProviderProducts(
  pool: pg.Pool,
  tenantId: string,
  id: string,
): Promise<readonly ProviderProduct[]> {
  return await asExistingTenant(pool, tenantId, (client) => findExistingProducts(client, tenantId, id));
}

async function findExistingProducts(
  client: Queryable,
  tenantId: string,
  id: string,
): Promise<readonly ProviderProduct[]> {
  const [provider] = await providerResourceType.findByIds(client, tenantId, [id], new Set());
  if (provider === undefined) throw unknownProvider(id);
  return await findProducts(client, tenantId, id);
}

export interface ProductResolution {
  readonly id: string;
  readonly product: string;
  /** Number of open findings of the product. */
  readonly findings: number;
  /** The time at which they are resolved; null if they are only counted. */
  readonly resolved_at: string | null;
}

/**
 * Resolves the open findings of a product for an operator, or only counts them. Throws an OperatorError if the tenant,
 * the provider or the product does not exist.
 */
export async function resolveProviderProduct(
  pool: pg.Pool,
  tenantId: string,
  { id, product }: Pick<ProductResolution, 'id' | 'product'>,
  isConfirmed: boolean,
): Promise<ProductResolution> {
  const find = async (client: Queryable) => {
    const products = await findExistingProducts(client, tenantId, id);
    const found = products.find(({ name }) => name === product);
    if (found !== undefined) return found;
    throw new OperatorError(
      `the provider has no product '${product}'; list its products with: sluice provider products ${id} --tenant ${tenantId}`,
    );
  };
  if (!isConfirmed) {
    const { findings } = await asExistingTenant(pool, tenantId, find);
    return { id, product, findings: findings.total, resolved_at: null };
  }
  return await withReservedWork(pool, tenantId, (coverageId) =>
    asExistingTenant(pool, tenantId, async (client) => {
      const found = await find(client);
      await recordOperatorEvent(client, tenantId, resolutionEvent(id, found));
      const coverage = { id: coverageId, providerId: id, product };
      const resolvedAt = await resolveProduct(client, tenantId, coverage);
      if (resolvedAt === undefined) throw unknownProvider(id);
      return { id, product, findings: found.findings.total, resolved_at: resolvedAt.toISOString() };
    }),
  );
}
