import { SEVERITIES } from '@sluice/ocsf';
import { z } from 'zod';
import { selectFields } from '../../jsonapi/query.ts';
import { describeResource } from '../../jsonapi/schemas.ts';
import { TREND_DAYS, type TrendDayRow } from './repository.ts';

export const FINDING_TRENDS = 'finding-trends';

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
