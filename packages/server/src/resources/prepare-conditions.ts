import { hasKeyIn } from '../db/opaque-condition.ts';
import type { Queryable } from '../db/transaction.ts';
import type { Condition, ConditionSql } from '../jsonapi/filters.ts';

/** More keys than this are selected by a subquery instead of a parameter. */
export const MAX_KEYS = 20_000;

/** A condition whose SQL depends on rows that are read first. */
export abstract class UnpreparedCondition implements Condition {
  abstract readonly previousSql: ConditionSql;

  readonly sql: ConditionSql = () => {
    throw new Error('the condition must be prepared before rows are read');
  };

  /** Returns the equivalent conditions. */
  abstract prepare(client: Queryable, tenantId: string): Promise<readonly Condition[]>;
}

/** Replaces conditions by conditions that PostgreSQL can evaluate fast for many rows. */
export async function prepareConditions(
  client: Queryable,
  tenantId: string,
  conditions: readonly Condition[],
): Promise<readonly Condition[]> {
  const prepared: Condition[] = [];
  for (const condition of conditions) {
    if (condition instanceof UnpreparedCondition)
      prepared.push(...(await condition.prepare(client, tenantId)));
    else prepared.push(condition);
  }
  return prepared;
}

/**
 * SQL for whether a column has one of the ids that a query selects. A few ids, which are read here, lead to the rows
 * through an index. Many are compared with a hash table. PostgreSQL would compare each row with each id of an array
 * that it does not know when it plans.
 */
export async function hasSelectedId(
  client: Queryable,
  tenantId: string,
  column: string,
  query: ConditionSql,
): Promise<ConditionSql> {
  const values: unknown[] = [tenantId];
  const selected = query((value) => `$${values.push(value)}`, '$1');
  const { rows } = await client.query<{ id: string }>(`${selected} limit ${MAX_KEYS + 1}`, values);
  if (rows.length > MAX_KEYS) return (bind, tenant) => hasKeyIn(column, query(bind, tenant));
  const ids = rows.map(({ id }) => id);
  return (bind) => `${column} = any(${bind(ids)}::uuid[])`;
}
