import { READ_FINDINGS } from '../../auth/permissions.ts';
import type { Endpoint } from '../../http/endpoints/endpoint.ts';
import { TREND_MAX_DAYS, TREND_MAX_HOURS } from '../../ingest/merge/failing-changes.ts';
import type { Filters } from '../../jsonapi/filters.ts';
import { documentOf } from '../../jsonapi/schemas.ts';
import { checkIdFilters, facetFilters, findingProviderFilters } from '../../resources/finding-filters.ts';
import { readTrend } from './read-trend.ts';
import { FINDING_TRENDS, findingTrendResource, findingTrends } from './resource.ts';

const filters: Filters = { ...findingProviderFilters, ...checkIdFilters, ...facetFilters('service') };

/** Number of days in a trend if the request names no period. */
const DEFAULT_DAYS = 90;

/** The finding trend endpoint. */
export function findingTrendEndpoints(): readonly Endpoint[] {
  return [
    {
      method: 'GET',
      path: '/findings/trend',
      operationId: 'readFindingTrend',
      tag: 'Findings',
      summary: 'Count failing findings over time',
      description:
        'Returns the number of failing findings at the end of each day or hour (UTC). A change counts from the time at which it was stored, regardless of the timestamps in records, so earlier points never change. The last point equals the summary. If an account is deleted, its findings remain in earlier points. For data from a release without this history, the trend begins with the upgrade.',
      access: READ_FINDINGS,
      query: {
        fields: { [FINDING_TRENDS]: findingTrends.attributes },
        filters,
        numbers: {
          days: {
            description: `Number of daily points, including today. Defaults to ${DEFAULT_DAYS}, or to none if \`hours\` is present.`,
            max: TREND_MAX_DAYS,
          },
          hours: {
            description: 'Number of hourly points, including the current hour. Defaults to none.',
            max: TREND_MAX_HOURS,
          },
        },
      },
      responses: { 200: { description: 'The counts by day or hour.', schema: documentOf(findingTrends) } },
      handle: async ({ access: { tenantId }, query, read }) => {
        const { numbers, conditions, fields } = query;
        const hours = numbers.get('hours');
        const days = numbers.get('days') ?? (hours === undefined ? DEFAULT_DAYS : undefined);
        const trend = await read((client) => readTrend(client, tenantId, conditions, { days, hours }));
        const data = findingTrendResource(trend, fields.get(FINDING_TRENDS));
        return { status: 200, document: { data } };
      },
    },
  ];
}
