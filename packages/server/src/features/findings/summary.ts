import { SEVERITIES } from '@sluice/ocsf';
import { z } from 'zod';
import type { Queryable } from '../../db/transaction.ts';
import { type Query, selectFields } from '../../jsonapi/query.ts';
import { describeResource } from '../../jsonapi/schemas.ts';
import { storedSeverity } from '../../resources/stored-severity.ts';
import { DELTAS, STATUSES } from './filters.ts';
import { type CountRow, countSets } from './summary-counts.ts';
import {
  type Counts,
  readSummaryNames,
  SUMMARY_MAX_VALUES,
  type SummaryNames,
  sumOf,
} from './summary-names.ts';

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

const countsByText = (name: string, description: string) =>
  z
    .array(z.strictObject({ [name]: z.string().nullable().meta({ description }), count, failed }))
    .meta({ description: `Number of findings by ${name.replace('_', ' ')}, ${topValues}` });

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
    by_service: countsByText('service', 'Name of the service. `null` for findings without a service.'),
    services: count.meta({ description: 'Number of services with matching findings.' }),
    by_region: countsByText('region', 'Name of the region. `null` for findings without a region.'),
    regions: count.meta({ description: 'Number of regions with matching findings.' }),
    by_resource_type: countsByText(
      'resource_type',
      'Type of the resource. `null` for findings without a type.',
    ),
    resource_types: count.meta({ description: 'Number of resource types with matching findings.' }),
    by_category: z
      .array(
        z.strictObject({
          category: z.string().meta({ description: 'Category of the check.' }),
          count,
          failed,
        }),
      )
      .meta({
        description: `Number of findings by category of their check, ${topValues} A finding counts toward each category of its check.`,
      }),
    categories: count.meta({ description: 'Number of categories with matching findings.' }),
  },
});

/** Counts of findings, and the names of the counted providers, facets and categories. */
export interface FindingSummary {
  readonly rows: readonly CountRow[];
  readonly names: SummaryNames;
}

/**
 * Converts the counts to a resource object. Statuses, severities and deltas without findings have a count of 0. Values
 * that this version does not know are included, so that the counts add up.
 */
export function findingSummaryResource({ rows, names }: FindingSummary, fields?: ReadonlySet<string>) {
  const plain = rows.filter(({ set }) => set === 'plain');
  const byName = <Value>(
    known: readonly string[],
    nameOf: (row: CountRow) => string,
    summarize: (counts: Counts) => Value,
  ) => {
    const counted = Map.groupBy(plain, nameOf);
    const all = new Set([...known, ...counted.keys()]);
    return Object.fromEntries(Array.from(all, (name) => [name, summarize(sumOf(counted.get(name) ?? []))]));
  };
  const [providers, services, regions, types, categories] = [
    names.providers(rows),
    names.texts(rows, 'service'),
    names.texts(rows, 'region'),
    names.texts(rows, 'resource_type'),
    names.categories(rows),
  ];
  const attributes = {
    ...sumOf(plain),
    muted: sumOf(plain.filter(({ muted }) => muted)).count,
    by_status: byName(
      STATUSES,
      ({ status }) => status,
      ({ count }) => count,
    ),
    by_severity: byName(
      SEVERITIES,
      ({ severity }) => storedSeverity(severity),
      (counts) => counts,
    ),
    by_delta: byName(
      DELTAS,
      ({ delta }) => delta,
      ({ count }) => count,
    ),
    by_provider: providers.map(({ value, ...counts }) => ({ ...value, ...counts })),
    providers: rows.filter(({ set }) => set === 'provider').length,
    by_service: services.top.map(({ value, ...counts }) => ({ service: value, ...counts })),
    services: services.values,
    by_region: regions.top.map(({ value, ...counts }) => ({ region: value, ...counts })),
    regions: regions.values,
    by_resource_type: types.top.map(({ value, ...counts }) => ({ resource_type: value, ...counts })),
    resource_types: types.values,
    by_category: categories.top.map(({ value, ...counts }) => ({ category: value, ...counts })),
    categories: categories.values,
  };
  return { type: FINDING_SUMMARIES, id: 'findings', attributes: selectFields(attributes, fields) };
}

/** Counts the findings that match the query's filters. */
export async function summarizeFindings(
  client: Queryable,
  tenantId: string,
  query: Query,
): Promise<FindingSummary> {
  const rows = await countSets(client, tenantId, query.conditions);
  return { rows, names: await readSummaryNames(client, tenantId, rows) };
}
