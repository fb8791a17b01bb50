import { onlyRow } from '../../db/only-row.ts';
import type { Queryable } from '../../db/transaction.ts';
import { startOfPeriod } from '../../db/utc-timestamp.ts';
import { CODE_SEVERITY, datedChanges, IS_FAILING_CODE } from '../../ingest/merge/failing-changes.ts';
import type { Condition } from '../../jsonapi/filters.ts';
import { NIL_UUID } from '../../lib/nil-uuid.ts';
import { OPEN } from '../../resources/finding-state.ts';
import { countedFindings, FAILING, type FindingDimension } from '../../resources/finding-totals.ts';
import { onPreviousLayout } from '../../resources/previous-layout.ts';
import { type Change, PERIOD_MS, type Periods } from './trend-points.ts';

/** The findings of a tenant that a trend counts. */
export interface TrendSource {
  readonly client: Queryable;
  readonly tenantId: string;
  readonly conditions: readonly Condition[];
  /** Whether findings may lack keys. */
  readonly isPrevious: boolean;
}

/** A number of failing findings. */
export interface FailingCount {
  /** `null` if the findings are not counted by provider. */
  readonly providerId: string | null;
  readonly severity: number;
  readonly count: number;
}

const failing = () => FAILING;
const IS_FAILING: Condition = { sql: failing, countsSql: failing, dimensions: [] };

/** SQL condition: a time is after the first period. Earlier changes do not affect the points. */
const isLater = (time: string, { unit, first }: Periods, bind: (value: unknown) => string) =>
  `${time} >= to_timestamp(${bind(((first + 1) * PERIOD_MS[unit]) / 1000)}::float8)`;

/** A statement on the tables of a tenant. */
function beginStatement(tenantId: string) {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  return { values, bind, tenant: bind(tenantId) };
}

/** Times in milliseconds since 1970. */
interface TrendClock {
  readonly now: number;
  /** When the changes of the tenant began to be recorded; `-Infinity` if all of them are recorded. */
  readonly startedAt: number;
}

/** Reads the clock of the database, which sets the times of changes. */
export async function readTrendClock(client: Queryable, tenantId: string): Promise<TrendClock> {
  const row = onlyRow(
    await client.query<{ now: Date; startedAt: Date | null }>(
      'select now(), (select started_at from finding_trend_starts where tenant_id = $1) as "startedAt"',
      [tenantId],
    ),
  );
  return { now: row.now.getTime(), startedAt: row.startedAt?.getTime() ?? -Infinity };
}

/** Counts the failing findings that match now, by severity and, if `byProvider`, by provider. */
export async function countFailing(
  { client, tenantId, conditions, isPrevious }: TrendSource,
  byProvider = false,
): Promise<readonly FailingCount[]> {
  const { values, bind, tenant } = beginStatement(tenantId);
  const all = [OPEN, IS_FAILING, ...(isPrevious ? onPreviousLayout(conditions) : conditions)];
  const dimensions: readonly FindingDimension[] = byProvider ? ['provider'] : [];
  const counted = isPrevious ? undefined : countedFindings(all, dimensions, bind, tenant);
  const number = counted === undefined ? '1' : 'findings.count';
  const source =
    counted ??
    `findings where findings.tenant_id = ${tenant} and ${all.map(({ sql }) => sql(bind, tenant)).join(' and ')}`;
  const provider = byProvider ? 'findings.provider_id' : 'null::uuid';
  const { rows } = await client.query<FailingCount>(
    `select ${provider} as "providerId", findings.severity, sum(${number})::float8 as count
     from ${source} group by 1, 2 having sum(${number}) <> 0`,
    values,
  );
  return rows;
}

/** The groupings of changes (migration 0037). The first one that has all dimensions is read. */
const GROUPINGS: readonly { readonly number: number; readonly dimensions: readonly FindingDimension[] }[] = [
  { number: 0, dimensions: [] },
  { number: 1, dimensions: ['check'] },
  { number: 2, dimensions: ['facet'] },
  { number: 3, dimensions: ['provider'] },
  { number: 4, dimensions: ['provider', 'check', 'facet'] },
];

/** Reads how the number of matching failing findings changed after the first period, by severity. */
export async function readFailingChanges(
  { client, tenantId, conditions }: TrendSource,
  periods: Periods,
): Promise<readonly Change<number>[]> {
  const { values, bind, tenant } = beginStatement(tenantId);
  const required = new Set(conditions.flatMap(({ dimensions = [] }) => dimensions));
  const grouping = GROUPINGS.find(({ dimensions }) =>
    [...required].every((dimension) => dimensions.some((one) => one === dimension)),
  );
  if (grouping === undefined) throw new Error('no grouping has the dimensions of the filters');
  const where = conditions.map(({ countsSql }) => {
    if (countsSql === undefined) throw new Error('a filter does not apply to counts');
    return ` and ${countsSql(bind, tenant)}`;
  });
  // Arrays are expanded in the select list, as for the totals.
  const keys = [
    ...(required.has('check') ? ['unnest(check_keys) as check_key'] : []),
    ...(required.has('facet') ? ['unnest(facet_keys) as facet_key'] : []),
  ].map((key) => `, ${key}`);
  const ofNoProvider = grouping.dimensions.includes('provider') ? '' : ` and provider_id = '${NIL_UUID}'`;
  const { rows } = await client.query<Change<number>>(
    `select starts_at as at, severity as key, sum(count)::float8 as count
     from (
       select starts_at, severity, count from (
         select provider_id, starts_at, unnest(severities) as severity, unnest(counts) as count${keys.join('')}
         from failing_finding_changes
         where tenant_id = ${tenant} and grouping = ${grouping.number}${ofNoProvider} and ${isLater('starts_at', periods, bind)}
       ) as findings where true${where.join('')}
       union all
       select starts_at, ${CODE_SEVERITY}, count from (
         select provider_id, starts_at, unnest(codes) as code, unnest(counts) as count${keys.join('')}
         from (${datedChanges('finding_total_changes', tenant)}) as dated
       ) as findings where ${IS_FAILING_CODE} and ${isLater('starts_at', periods, bind)}${where.join('')}
     ) as changes group by 1, 2 having sum(count) <> 0`,
    values,
  );
  return rows;
}

/** Reads the deleted providers whose removal is not finished, with the times of their deletion. */
export async function readRemovals(client: Queryable, tenantId: string): Promise<ReadonlyMap<string, Date>> {
  const { rows } = await client.query<{ id: string; deletedAt: Date }>(
    `select r.provider_id as id, p.deleted_at as "deletedAt" from provider_removals r
     cross join lateral (select deleted_at from providers where tenant_id = $1 and id = r.provider_id offset 0) as p
     where r.tenant_id = $1`,
    [tenantId],
  );
  return new Map(rows.map(({ id, deletedAt }) => [id, deletedAt]));
}

/** The `from` and `where` clauses for the matching providers, and those that were deleted. */
function matchingProviders(
  conditions: readonly Condition[],
  bind: (value: unknown) => string,
  tenant: string,
): string {
  const ofProviders = conditions.filter(({ dimensions }) => dimensions?.includes('provider') === true);
  const where = ofProviders.map(({ sql }) => ` and ${sql(bind, tenant)}`).join('');
  return `(select id as provider_id, created_at, deleted_at from providers where tenant_id = ${tenant}) as findings where true${where}`;
}

/** Counts the providers that match the filters by provider and have not been deleted. */
export async function countLiveProviders({ client, tenantId, conditions }: TrendSource): Promise<number> {
  const { values, bind, tenant } = beginStatement(tenantId);
  const { count } = onlyRow(
    await client.query<{ count: number }>(
      `select count(*)::float8 as count from ${matchingProviders(conditions, bind, tenant)} and deleted_at is null`,
      values,
    ),
  );
  return count;
}

/** Reads how the number of providers changed after the first period. */
export async function readProviderChanges(
  { client, tenantId, conditions }: TrendSource,
  periods: Periods,
): Promise<readonly Change<'all'>[]> {
  const { values, bind, tenant } = beginStatement(tenantId);
  const source = matchingProviders(conditions, bind, tenant);
  const { rows } = await client.query<Change<'all'>>(
    `select ${startOfPeriod('hour', 'at')} as at, 'all' as key, sum(change)::float8 as count
     from (
       select created_at as at, 1 as change from ${source}
       union all
       select deleted_at, -1 from ${source} and deleted_at is not null
     ) as changes where ${isLater('at', periods, bind)} group by 1`,
    values,
  );
  return rows;
}
