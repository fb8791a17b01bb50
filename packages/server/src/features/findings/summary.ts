import { SEVERITIES, type Severity } from '@sluice/ocsf';
import { z } from 'zod';
import type { Queryable } from '../../db/transaction.ts';
import { type Query, selectFields } from '../../jsonapi/query.ts';
import { describeResource } from '../../jsonapi/schemas.ts';
import { providerSubquery } from '../../resources/provider-filters.ts';
import { storedSeverity } from '../../resources/stored-severity.ts';
import { DELTAS, STATUSES } from './filters.ts';
import { excludeDeletedProviders, storedCounts } from './repository.ts';

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
const SUMMARY_MAX_VALUES = 1000;

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

export const FINDING_SUMMARIES = 'finding-summaries';

const count = z.int().min(0).meta({ description: 'Number of findings, including muted findings.' });
const failed = z
  .int()
  .min(0)
  .meta({ description: 'Number of findings with the status FAIL that are not muted.' });
const countsBy = (names: readonly string[], dimension: string) =>
  z
    .strictObject(Object.fromEntries(names.map((name) => [name, count])))
    .meta({ description: `Number of findings by ${dimension}.` });
const topValues = `sorted by number of failing findings in descending order. Maximum number of entries: ${SUMMARY_MAX_VALUES.toLocaleString('en')}.`;

export const findingSummaries = describeResource({
  type: FINDING_SUMMARIES,
  description: 'Counts of findings that match the filters in the request, including muted findings.',
  id: z.literal('findings'),
  attributes: {
    count,
    failed,
    muted: count.meta({ description: 'Number of muted findings.' }),
    by_status: countsBy(STATUSES, 'status'),
    by_severity: z
      .strictObject(Object.fromEntries(SEVERITIES.map((name) => [name, z.strictObject({ count, failed })])))
      .meta({ description: 'Number of findings by severity.' }),
    by_delta: countsBy(DELTAS, 'delta'),
    by_provider: z
      .array(
        z.strictObject({
          id: z.uuid().meta({ description: 'ID of the provider.' }),
          provider_type: z.string().meta({ description: 'Provider type in lower case.' }),
          account: z.string().meta({ description: 'Account ID assigned by the provider.' }),
          count,
          failed,
        }),
      )
      .meta({ description: `Number of findings by provider, ${topValues}` }),
    providers: count.meta({ description: 'Number of providers with matching findings.' }),
    by_service: z
      .array(
        z.strictObject({
          service: z
            .string()
            .nullable()
            .meta({ description: 'Name of the service. `null` for findings without a service.' }),
          count,
          failed,
        }),
      )
      .meta({ description: `Number of findings by service, ${topValues}` }),
    services: count.meta({ description: 'Number of services with matching findings.' }),
  },
});

/**
 * Converts the counts to a resource object. Statuses, severities and deltas without findings have a count of 0. Values that
 * this version does not know are included, so that the counts add up.
 */
export function findingSummaryResource(rows: readonly SummaryRow[], fields?: ReadonlySet<string>) {
  const rowsOf = (dimension: SummaryRow['dimension']) => rows.filter((row) => row.dimension === dimension);
  const sum = (counted: readonly SummaryRow[], key: 'count' | 'failed') =>
    counted.reduce((total, row) => total + row[key], 0);
  const byName = <Value>(
    names: readonly string[],
    dimension: 'status' | 'severity' | 'delta',
    nameOf: (row: SummaryRow) => string,
    summarize: (counted: readonly SummaryRow[]) => Value,
  ) => {
    const counted = Map.groupBy(rowsOf(dimension), nameOf);
    const all = new Set([...names, ...counted.keys()]);
    return Object.fromEntries(Array.from(all, (name) => [name, summarize(counted.get(name) ?? [])]));
  };
  const countOf = (counted: readonly SummaryRow[]) => sum(counted, 'count');
  const attributes = {
    count: countOf(rowsOf('all')),
    failed: sum(rowsOf('all'), 'failed'),
    muted: countOf(rowsOf('muted').filter(({ muted }) => muted)),
    by_status: byName(STATUSES, 'status', ({ status }) => status, countOf),
    by_severity: byName(
      SEVERITIES,
      'severity',
      ({ severity }) => storedSeverity(severity),
      (counted) => ({ count: countOf(counted), failed: sum(counted, 'failed') }),
    ),
    by_delta: byName(DELTAS, 'delta', ({ delta }) => delta, countOf),
    by_provider: rowsOf('provider').map(({ provider_id, provider_type, account, count, failed }) => ({
      id: provider_id,
      provider_type,
      account,
      count,
      failed,
    })),
    providers: rowsOf('provider')[0]?.values ?? 0,
    by_service: rowsOf('service').map(({ service, count, failed }) => ({ service, count, failed })),
    services: rowsOf('service')[0]?.values ?? 0,
  };
  return { type: FINDING_SUMMARIES, id: 'findings', attributes: selectFields(attributes, fields) };
}
