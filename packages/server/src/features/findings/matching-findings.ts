import type { Queryable } from '../../db/transaction.ts';
import type { Condition } from '../../jsonapi/filters.ts';

/** The findings of a tenant that match these conditions. */
export interface MatchingFindings {
  readonly client: Queryable;
  readonly tenantId: string;
  readonly conditions: readonly Condition[];
}

/** A statement that reads the matching findings, or their counts. */
export interface MatchingStatement {
  readonly parameters: unknown[];
  readonly bind: (value: unknown) => string;
  /** The placeholder of the tenant id. */
  readonly tenant: string;
  /** Adds the parameters of the conditions, and returns the condition for the findings. */
  readonly where: () => string;
}

/** Begins a statement with the tenant id as its first parameter. */
export function matchingStatement({
  tenantId,
  conditions,
}: Pick<MatchingFindings, 'tenantId' | 'conditions'>): MatchingStatement {
  const parameters: unknown[] = [];
  const bind = (value: unknown): string => `$${parameters.push(value)}`;
  const tenant = bind(tenantId);
  const where = () =>
    [`findings.tenant_id = ${tenant}`, ...conditions.map(({ sql }) => sql(bind, tenant))].join(' and ');
  return { parameters, bind, tenant, where };
}
