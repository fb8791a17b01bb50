import { SEVERITIES } from '@sluice/ocsf';
import { z } from 'zod';
import { selectFields } from '../../jsonapi/query.ts';
import { describeResource } from '../../jsonapi/schemas.ts';
import { TREND_DAYS, type TrendDayRow } from './repository.ts';

export const FINDING_TRENDS = 'finding-trends';

const count = z.int().min(0);

export const findingTrends = describeResource({
  type: FINDING_TRENDS,
  description: 'How many findings have failed over time',
  id: z.literal('findings'),
  attributes: {
    days: z
      .array(
        z.strictObject({
          date: z.iso.date().meta({ description: 'In UTC' }),
          failed: count.meta({ description: 'Those that failed at the end of the day and were not muted' }),
          failed_by_severity: z.record(z.enum(SEVERITIES), count),
          new: count.meta({ description: 'Findings that no upload before had' }),
          changed: count.meta({ description: 'Findings whose status changed' }),
          providers: count.meta({ description: 'Providers that had been scanned by then' }),
        }),
      )
      .meta({ description: `The last ${TREND_DAYS} days, today at the end` }),
  },
});

/** A trend as a resource object. */
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
