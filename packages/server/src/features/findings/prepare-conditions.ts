import type { Queryable } from '../../db/transaction.ts';
import type { Condition, ConditionSql } from '../../jsonapi/filters.ts';

/** More keys than this are selected by a subquery instead of a parameter. */
export const MAX_KEYS = 20_000;

/** A condition whose SQL depends on rows that are read first. */
export abstract class UnpreparedCondition implements Condition {
  abstract readonly previousSql: ConditionSql;

  readonly sql: ConditionSql = () => {
    throw new Error('the condition must be prepared before its findings are read');
  };

  /** Returns the equivalent conditions. */
  abstract prepare(client: Queryable, tenantId: string): Promise<readonly Condition[]>;
}

/** Replaces conditions by conditions that PostgreSQL can evaluate fast for many findings. */
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
