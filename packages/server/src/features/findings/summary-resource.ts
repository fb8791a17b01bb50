import { SEVERITIES, severityName } from '@sluice/ocsf';
import { z } from 'zod';
import { selectFields } from '../../jsonapi/query.ts';
import { describeResource } from '../../jsonapi/schemas.ts';
import { DELTAS, STATUSES } from './filters.ts';
import { SUMMARY_MAX_VALUES, type SummaryRow } from './summary.ts';

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

/** Converts the counts to a resource object. Statuses, severities and deltas without findings have a count of 0. */
export function findingSummaryResource(rows: readonly SummaryRow[], fields?: ReadonlySet<string>) {
  const rowsOf = (dimension: SummaryRow['dimension']) => rows.filter((row) => row.dimension === dimension);
  const sum = (counted: readonly SummaryRow[], key: 'count' | 'failed') =>
    counted.reduce((total, row) => total + row[key], 0);
  const byName = <Name extends string>(names: readonly Name[], key: 'status' | 'delta') =>
    Object.fromEntries(
      names.map((name) => [
        name,
        sum(
          rowsOf(key).filter((row) => row[key] === name),
          'count',
        ),
      ]),
    );
  const attributes = {
    count: sum(rowsOf('all'), 'count'),
    failed: sum(rowsOf('all'), 'failed'),
    muted: sum(
      rowsOf('muted').filter(({ muted }) => muted),
      'count',
    ),
    by_status: byName(STATUSES, 'status'),
    by_severity: Object.fromEntries(
      SEVERITIES.map((name) => {
        const found = rowsOf('severity').filter(({ severity }) => severityName(severity) === name);
        return [name, { count: sum(found, 'count'), failed: sum(found, 'failed') }];
      }),
    ),
    by_delta: byName(DELTAS, 'delta'),
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
