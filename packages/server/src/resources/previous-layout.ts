import { isDistributed } from '../db/distribution.ts';
import type { Queryable } from '../db/transaction.ts';
import { ApiError } from '../jsonapi/errors.ts';
import type { Condition } from '../jsonapi/filters.ts';

/**
 * Whether findings of this tenant may still lack the keys of their checks, facets and resources, because they are from
 * a previous release. Until they have keys, they are read through the text columns of that release.
 */
export async function lacksKeys(client: Queryable, tenantId: string): Promise<boolean> {
  // Such databases cannot be distributed.
  if (isDistributed(client)) return false;
  const { rowCount } = await client.query('select from finding_backfills where tenant_id = $1', [tenantId]);
  return rowCount !== 0;
}

/**
 * Throws an ApiError (503) if findings of this tenant may lack keys. For features that the previous layout does not
 * support.
 */
export async function requireKeys(client: Queryable, tenantId: string): Promise<void> {
  if (await lacksKeys(client, tenantId)) throw upgradeInProgress();
}

/** The `previousSql` of a condition that the previous layout does not support. Throws an ApiError (503). */
export function unsupportedOnPreviousLayout(): never {
  throw upgradeInProgress();
}

function upgradeInProgress(): ApiError {
  return new ApiError({
    status: 503,
    code: 'upgrade_in_progress',
    detail: "An upgrade of the tenant's findings is in progress. Try again when it has finished.",
    headers: { 'retry-after': '30' },
  });
}

/** The equivalent conditions on the columns of the previous layout. They do not apply to counts. */
export function onPreviousLayout(conditions: readonly Condition[]): readonly Condition[] {
  return conditions.map(({ sql, previousSql = sql }) => ({ sql: previousSql }));
}
