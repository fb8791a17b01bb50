import { SEVERITIES, type SeverityName } from '@sluice/ocsf';
import type { Queryable } from '../../db/transaction.ts';
import type { Query } from '../../jsonapi/query.ts';

/** Days that a trend goes back, today among them. */
export const TREND_DAYS = 90;

/** A day of a trend, UTC: how many findings failed at its end, by severity, and what its scans have changed. */
export interface TrendDayRow extends Readonly<Record<`failed_${SeverityName}`, number>> {
  /** `2026-01-31` */
  readonly date: string;
  readonly failed: number;
  readonly new_findings: number;
  readonly changed_findings: number;
  /** That had been scanned by then. */
  readonly providers: number;
}

const FAILED = ['failed', ...SEVERITIES.map((name) => `failed_${name}` as const)];

const utcDay = (column: string) => `(${column} at time zone 'UTC')::date`;

/**
 * Each day's counts are those of the last upload of every live provider up to its end, by the time of its records: an
 * upload that is sent twice counts once.
 */
export async function readTrend(
  client: Queryable,
  tenantId: string,
  query: Query,
): Promise<readonly TrendDayRow[]> {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const tenant = bind(tenantId);
  const conditions = query.conditions.map(({ sql }) => ` and ${sql(bind, tenant)}`).join('');
  const { rows } = await client.query<TrendDayRow>(
    `with shown as materialized (
       select s.*, ${utcDay('least(s.ended_at, now())')} as day
       from scans s join providers p on p.tenant_id = s.tenant_id and p.id = s.provider_id and p.deleted_at is null
       where s.tenant_id = ${tenant}${conditions}
     ), runs as (
       select provider_id, ingestion_id, max(ended_at) as ended_at, max(day) as day, ${FAILED.map((name) => `sum(${name}) as ${name}`).join(', ')}
       from shown group by provider_id, ingestion_id
     ), states as (
       select *, lead(day) over (partition by provider_id order by ended_at, ingestion_id) as next_day from runs
     ), changes as (
       select day, sum(new_findings) as new_findings, sum(changed_findings) as changed_findings from shown group by day
     ), days as (
       select generate_series(${utcDay('now()')} - ${TREND_DAYS - 1}, ${utcDay('now()')}, interval '1 day')::date as day
     )
     select days.day::text as date, count(states.provider_id)::float8 as providers,
       ${FAILED.map((name) => `coalesce(sum(states.${name}), 0)::float8 as ${name}`).join(', ')},
       coalesce(max(changes.new_findings), 0)::float8 as new_findings,
       coalesce(max(changes.changed_findings), 0)::float8 as changed_findings
     from days
     left join states on states.day <= days.day and (states.next_day is null or days.day < states.next_day)
     left join changes on changes.day = days.day
     group by days.day order by days.day`,
    values,
  );
  return rows;
}
