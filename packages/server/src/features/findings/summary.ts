import type { Severity } from '@sluice/ocsf';
import type { Queryable } from '../../db/transaction.ts';
import type { Query } from '../../jsonapi/query.ts';
import { providerSubquery } from '../../resources/provider-filters.ts';
import { excludeDeletedProviders } from './exclude-deleted-providers.ts';
import { storedCounts } from './stored-counts.ts';

/** The number of findings for one value of one dimension. Columns of the other dimensions are null. */
export interface SummaryRow {
  readonly dimension: 'all' | 'status' | 'severity' | 'provider' | 'service' | 'delta' | 'muted';
  readonly status: 'PASS' | 'FAIL' | 'MANUAL';
  readonly severity: Severity;
  readonly provider_id: string;
  readonly provider_type: string;
  readonly account: string;
  /** null for findings without a service. */
  readonly service: string | null;
  readonly delta: 'new' | 'changed' | 'unchanged';
  readonly muted: boolean;
  readonly count: number;
  /** Number of findings with the status FAIL that are not muted. */
  readonly failed: number;
  /** Number of distinct values of this dimension. */
  readonly values: number;
}

/** Maximum number of providers and services in a summary. Limits the size of the response. */
export const SUMMARY_MAX_VALUES = 1000;

/**
 * Counts the findings that match the query's filters, by each dimension. Uses the stored counts if they support the
 * filters. Otherwise, reads the findings once, groups them by all dimensions at the same time, and sums up the groups
 * for each dimension.
 */
export async function summarizeFindings(
  client: Queryable,
  tenantId: string,
  query: Query,
): Promise<readonly SummaryRow[]> {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const tenant = bind(tenantId);
  const conditions = [...(await excludeDeletedProviders(client, tenantId)), ...query.conditions];
  const stored = storedCounts(conditions, bind, tenant);
  const number = stored === undefined ? 'count(*)' : 'sum(findings.number)';
  const where = () => [`findings.tenant_id = ${tenant}`, ...conditions.map(({ sql }) => sql(bind, tenant))];
  const source = stored ?? `findings where ${where().join(' and ')}`;
  const { rows } = await client.query<SummaryRow>(
    `with groups as materialized (
       select status, severity, provider_id, service, delta, muted, ${number} as findings
       from ${source}
       group by status, severity, provider_id, service, delta, muted having ${number} > 0
     ), sums as (
       select status, severity, provider_id, service, delta, muted,
         case grouping(status, severity, provider_id, service, delta, muted)
           when 31 then 'status' when 47 then 'severity' when 55 then 'provider' when 59 then 'service'
           when 61 then 'delta' when 62 then 'muted' else 'all' end as dimension,
         coalesce(sum(findings), 0) as count,
         coalesce(sum(findings) filter (where status = 'FAIL' and not muted), 0) as failed
       from groups
       group by grouping sets ((), (status), (severity), (provider_id), (service), (delta), (muted))
     ), ranked as (
       select *, count(*) over (partition by dimension) as values,
         row_number() over (partition by dimension order by failed desc, count desc, provider_id, service) as rank
       from sums
     )
     select ranked.dimension, ranked.status, ranked.severity, ranked.provider_id, providers.type as provider_type,
       providers.account, ranked.service, ranked.delta, ranked.muted, ranked.count::float8, ranked.failed::float8,
       ranked.values::float8
     from ranked
     left join ${providerSubquery('ranked', tenant)} as providers on true
     where ranked.rank <= ${bind(SUMMARY_MAX_VALUES)}
     order by ranked.dimension, ranked.rank`,
    values,
  );
  return rows;
}
