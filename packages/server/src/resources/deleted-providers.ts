import type { Queryable } from '../db/transaction.ts';
import type { Condition, ConditionSql } from '../jsonapi/filters.ts';

/**
 * Returns conditions that exclude the rows of deleted providers until these rows are removed in the background. Deleted
 * providers are rare, so a single query for pending removals is cheaper than checking the provider of every row.
 */
export async function exceptDeletedProviders(
  client: Queryable,
  tenantId: string,
  table: 'findings' | 'resources',
): Promise<readonly Condition[]> {
  const { rows } = await client.query<{ id: string }>(
    'select provider_id as id from provider_removals where tenant_id = $1',
    [tenantId],
  );
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const sql: ConditionSql = (bind) => `${table}.provider_id <> all(${bind(ids)}::uuid[])`;
  return [{ sql, countsSql: sql, dimensions: ['provider'] }];
}
