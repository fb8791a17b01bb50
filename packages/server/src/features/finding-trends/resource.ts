import { SEVERITIES, type SeverityName } from '@sluice/ocsf';
import { z } from 'zod';
import type { Queryable } from '../../db/transaction.ts';
import { type Query, selectFields } from '../../jsonapi/query.ts';
import { describeResource } from '../../jsonapi/schemas.ts';
import { providerSubquery } from '../../resources/providers.ts';

export const FINDING_TRENDS = 'finding-trends';

/** Number of days in a trend, including today. */
const TREND_DAYS = 90;

const count = z.int().min(0);

export const findingTrends = describeResource({
  type: FINDING_TRENDS,
  description: 'The number of failing findings over time.',
  id: z.literal('findings'),
  attributes: {
    days: z
      .array(
        z.strictObject({
          date: z.iso.date().meta({ description: 'Day in UTC.' }),
          failed: count.meta({
            description: 'Number of unmuted findings with the status FAIL at the end of the day.',
          }),
          failed_by_severity: z
            .record(z.enum(SEVERITIES), count)
            .meta({ description: 'Failing findings by severity.' }),
          new: count.meta({ description: 'Number of findings that were not in any earlier upload.' }),
          changed: count.meta({ description: 'Number of findings whose status changed.' }),
          providers: count.meta({
            description: 'Number of providers that had been scanned by the end of the day.',
          }),
        }),
      )
      .meta({ description: `The last ${TREND_DAYS} days in chronological order, ending with today.` }),
  },
});

/** One day (UTC) of a trend: failing findings by severity at the end of the day, and changes in that day's scans. */
export interface TrendDayRow extends Readonly<Record<`failed_${SeverityName}`, number>> {
  /** `2026-01-31` */
  readonly date: string;
  readonly failed: number;
  readonly new_findings: number;
  readonly changed_findings: number;
  /** Number of providers that had been scanned by the end of the day. */
  readonly providers: number;
}

/** Converts a trend to a resource object. */
export function findingTrendResource(rows: readonly TrendDayRow[], fields?: ReadonlySet<string>) {
  const days = rows.map((row) => ({
    date: row.date,
    failed: row.failed,
    failed_by_severity: Object.fromEntries(SEVERITIES.map((name) => [name, row[`failed_${name}`]])),
    new: row.new_findings,
    changed: row.changed_findings,
    providers: row.providers,
  }));
  return { type: FINDING_TRENDS, id: 'findings', attributes: selectFields({ days }, fields) };
}

const FAILED = ['failed', ...SEVERITIES.map((name) => `failed_${name}` as const)];
const COUNTS = ['providers', ...FAILED];

const utcDay = (column: string) => `(${column} at time zone 'UTC')::date`;
const FIRST_DAY = `(${utcDay('now()')} - ${TREND_DAYS - 1})`;

/**
 * For each day, counts the findings in each live provider's latest upload at the end of that day, so that repeated
 * uploads are counted once. Uploads are ordered by the timestamps of their records. Each upload's counts are added on
 * its day and subtracted on the day of the next upload. Determining the latest uploads separately for each day would
 * require one comparison per upload and day.
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
       from scans s join ${providerSubquery('s')} as p on p.deleted_at is null
       where s.tenant_id = ${tenant}${conditions}
     ), runs as (
       select provider_id, ingestion_id, max(ended_at) as ended_at, max(day) as day, ${FAILED.map((name) => `sum(${name}) as ${name}`).join(', ')}
       from shown group by provider_id, ingestion_id
     ), states as (
       select *, lead(day) over (partition by provider_id order by ended_at, ingestion_id) as next_day from runs
     ), changes as (
       select day, sum(new_findings) as new_findings, sum(changed_findings) as changed_findings from shown group by day
     ), days as (
       select generate_series(${FIRST_DAY}, ${utcDay('now()')}, interval '1 day')::date as day
     ), differences as (
       select greatest(day, ${FIRST_DAY}) as day, 1 as providers, ${FAILED.join(', ')}
       from states where next_day is null or next_day > ${FIRST_DAY}
       union all
       select next_day, -1, ${FAILED.map((name) => `-${name}`).join(', ')} from states where next_day > ${FIRST_DAY}
     ), by_day as (
       select day, ${COUNTS.map((name) => `sum(${name}) as ${name}`).join(', ')} from differences group by day
     )
     select days.day::text as date,
       ${COUNTS.map((name) => `coalesce(sum(by_day.${name}) over upto, 0)::float8 as ${name}`).join(', ')},
       coalesce(changes.new_findings, 0)::float8 as new_findings,
       coalesce(changes.changed_findings, 0)::float8 as changed_findings
     from days left join by_day using (day) left join changes using (day)
     window upto as (order by days.day) order by days.day`,
    values,
  );
  return rows;
}
