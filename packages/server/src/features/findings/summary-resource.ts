import { SEVERITIES, severityName } from '@sluice/ocsf';
import { z } from 'zod';
import { selectFields } from '../../jsonapi/query.ts';
import { describeResource } from '../../jsonapi/schemas.ts';
import { DELTAS, STATUSES } from './filters.ts';
import { SUMMARY_MAX_VALUES, type SummaryRow } from './summary.ts';

export const FINDING_SUMMARIES = 'finding-summaries';

const count = z.int().min(0);
const failed = count.meta({ description: 'Those that fail and are not muted' });
const countsBy = (names: readonly string[]) =>
  z.strictObject(Object.fromEntries(names.map((name) => [name, count])));

/** Counts of findings, as a page needs them that opens with them. */
export const findingSummaries = describeResource({
  type: FINDING_SUMMARIES,
  description: 'How many findings there are under the filters of the request, muted ones among them',
  id: z.literal('findings'),
  attributes: {
    count,
    failed,
    muted: count,
    by_status: countsBy(STATUSES),
    by_severity: z.strictObject(
      Object.fromEntries(SEVERITIES.map((name) => [name, z.strictObject({ count, failed })])),
    ),
    by_delta: countsBy(DELTAS),
    by_provider: z
      .array(z.strictObject({ id: z.uuid(), provider_type: z.string(), account: z.string(), count, failed }))
      .meta({ description: `Those with most failures first, ${SUMMARY_MAX_VALUES} at most` }),
    providers: count.meta({ description: 'Providers that have such findings' }),
    by_service: z.array(z.strictObject({ service: z.string().nullable(), count, failed })).meta({
      description: `Those with most failures first, ${SUMMARY_MAX_VALUES} at most; null: findings without a service`,
    }),
    services: count.meta({ description: 'Services that have such findings' }),
  },
});

/** The counts as a resource object: every name of a fixed set is there, also with 0. */
export function findingSummaryResource(rows: readonly SummaryRow[], fields?: ReadonlySet<string>) {
  const of = (dimension: SummaryRow['dimension']) => rows.filter((row) => row.dimension === dimension);
  const sum = (counted: readonly SummaryRow[], key: 'count' | 'failed') =>
    counted.reduce((total, row) => total + row[key], 0);
  const byName = <Name extends string>(names: readonly Name[], key: 'status' | 'delta') =>
    Object.fromEntries(
      names.map((name) => [
        name,
        sum(
          of(key).filter((row) => row[key] === name),
          'count',
        ),
      ]),
    );
  const attributes = {
    count: sum(of('all'), 'count'),
    failed: sum(of('all'), 'failed'),
    muted: sum(
      of('muted').filter(({ muted }) => muted),
      'count',
    ),
    by_status: byName(STATUSES, 'status'),
    by_severity: Object.fromEntries(
      SEVERITIES.map((name) => {
        const found = of('severity').filter(({ severity }) => severityName(severity) === name);
        return [name, { count: sum(found, 'count'), failed: sum(found, 'failed') }];
      }),
    ),
    by_delta: byName(DELTAS, 'delta'),
    by_provider: of('provider').map(({ provider_id, provider_type, account, count, failed }) => ({
      id: provider_id,
      provider_type,
      account,
      count,
      failed,
    })),
    providers: of('provider')[0]?.values ?? 0,
    by_service: of('service').map(({ service, count, failed }) => ({ service, count, failed })),
    services: of('service')[0]?.values ?? 0,
  };
  return { type: FINDING_SUMMARIES, id: 'findings', attributes: selectFields(attributes, fields) };
}
