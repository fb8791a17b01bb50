import { z } from 'zod';
import type { Queryable } from '../db/transaction.ts';
import { type Condition, type Filter, listFilter } from '../jsonapi/filters.ts';

/**
 * A finding is resolved if an upload that is complete for it did not contain it, or if a user has resolved the findings
 * of its product.
 */
export const STATES = ['open', 'resolved'] as const;

/** SQL condition: the row of `findings` is open. */
export const IS_OPEN = 'findings.resolved_at is null';

/** Selects open findings. The totals have no others. */
export const OPEN: Condition = { sql: () => IS_OPEN, countsSql: () => 'true', dimensions: [] };
const RESOLVED: Condition = { sql: () => 'findings.resolved_at is not null' };
const ANY: Condition = { sql: () => 'true' };

/** `filter[state]` */
export const stateFilter: Filter = listFilter({
  description: 'Returns findings in any of these states. Separate them with commas.',
  schema: z.enum(STATES),
  condition: (states) => (states.includes('open') ? (states.includes('resolved') ? ANY : OPEN) : RESOLVED),
  whenAbsent: OPEN,
});

/**
 * Returns the conditions without those on the state if all findings of the tenant are open. Statements can then use
 * indexes that lack the state.
 */
export async function withoutNeedlessState(
  client: Queryable,
  tenantId: string,
  conditions: readonly Condition[],
): Promise<readonly Condition[]> {
  const others = conditions.filter((condition) => condition !== OPEN && condition !== ANY);
  if (others.length === conditions.length) return conditions;
  const { rowCount } = await client.query(
    'select from findings where tenant_id = $1 and resolved_at is not null limit 1',
    [tenantId],
  );
  return rowCount === 0 ? others : conditions;
}
