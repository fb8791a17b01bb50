import { SEVERITIES } from '@sluice/ocsf';
import { z } from 'zod';
import { selectFields } from '../../jsonapi/query.ts';
import { describeResource, timestamp } from '../../jsonapi/schemas.ts';
import { storedSeverity } from '../../resources/stored-severity.ts';
import { PERIOD_MS, type TrendPoint, type TrendUnit } from './trend-points.ts';

export const FINDING_TRENDS = 'finding-trends';

const count = z.int().min(0);

const counts = (period: string) => ({
  failed: count.meta({
    description: `Number of open, unmuted findings with the status FAIL at the end of the ${period}.`,
  }),
  failed_by_severity: z
    .record(z.enum(SEVERITIES), count)
    .meta({ description: 'Failing findings by severity.' }),
  providers: count.meta({
    description: `Number of providers at the end of the ${period}, with and without failing findings. Filters by service and check do not apply.`,
  }),
});

export const findingTrends = describeResource({
  type: FINDING_TRENDS,
  description: 'The number of failing findings over time.',
  id: z.literal('findings'),
  attributes: {
    days: z
      .array(z.strictObject({ date: z.iso.date().meta({ description: 'Day in UTC.' }), ...counts('day') }))
      .meta({
        description:
          'Days in chronological order, ending with today. Absent if only hourly points are requested.',
      }),
    hours: z
      .array(
        z.strictObject({
          starts_at: timestamp.meta({ description: 'Beginning of the hour in UTC.' }),
          ...counts('hour'),
        }),
      )
      .meta({
        description:
          'Hours in chronological order, ending with the current hour. Present only if hourly points are requested.',
      }),
  },
});

/** The requested points by unit. */
export type FindingTrend = Readonly<Record<TrendUnit, readonly TrendPoint[] | undefined>>;

/** Converts a trend to a resource object. */
export function findingTrendResource({ day, hour }: FindingTrend, fields?: ReadonlySet<string>) {
  const attributes = {
    ...(day !== undefined && {
      days: day.map((point) => ({ date: startOf(point, 'day').slice(0, 10), ...countsOf(point) })),
    }),
    ...(hour !== undefined && {
      hours: hour.map((point) => ({
        starts_at: startOf(point, 'hour').replace('Z', '000Z'),
        ...countsOf(point),
      })),
    }),
  };
  return { type: FINDING_TRENDS, id: 'findings', attributes: selectFields(attributes, fields) };
}

function startOf({ period }: TrendPoint, unit: TrendUnit): string {
  return new Date(period * PERIOD_MS[unit]).toISOString();
}

/** Severities that this version does not know are included, so that the counts add up. */
function countsOf({ failed, providers }: TrendPoint) {
  const known = SEVERITIES.map((name): [string, number] => [name, 0]);
  const present = Array.from(failed, ([severity, number]): [string, number] => [
    storedSeverity(severity),
    number,
  ]).filter(([, number]) => number !== 0);
  return {
    failed: present.reduce((sum, [, number]) => sum + number, 0),
    failed_by_severity: Object.fromEntries([...known, ...present]),
    providers,
  };
}
