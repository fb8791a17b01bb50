import type { Queryable } from '../db/transaction.ts';
import type { Condition } from '../jsonapi/filters.ts';

/**
 * Whether findings of this tenant may still lack the keys of their checks, facets and resources, because they are from a
 * previous release. Until they have keys, they are read through the text columns of that release.
 */
export async function lacksKeys(client: Queryable, tenantId: string): Promise<boolean> {
  const { rowCount } = await client.query('select from finding_backfills where tenant_id = $1', [tenantId]);
  return rowCount !== 0;
}

/** The equivalent conditions on the columns of the previous layout. They do not apply to counts. */
export function onPreviousLayout(conditions: readonly Condition[]): readonly Condition[] {
  return conditions.map(({ sql, previousSql = sql }) => ({ sql: previousSql }));
}
