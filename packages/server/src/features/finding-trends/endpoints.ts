import { z } from 'zod';
import { READ_FINDINGS } from '../../auth/permissions.ts';
import type { Endpoint } from '../../http/endpoints/endpoint.ts';
import { equalityFilters, type Filters } from '../../jsonapi/filters.ts';
import { documentOf } from '../../jsonapi/schemas.ts';
import { accountFilters, providerType } from '../../resources/provider-filters.ts';
import { FINDING_TRENDS, findingTrendResource, findingTrends, readTrend } from './resource.ts';

const filters: Filters = {
  ...equalityFilters('provider', 's.provider_id', z.uuid(), 'uuid'),
  ...equalityFilters('provider_type', 'p.type', providerType, 'text'),
  ...accountFilters('p.account'),
};

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
        "For each day, counts the failing findings in each account's latest upload at the end of that day (UTC). Uploads are ordered by the timestamps of their records. If an upload covers only part of an account, so do the counts. Deleted accounts are not included.",
      access: READ_FINDINGS,
      query: { fields: { [FINDING_TRENDS]: findingTrends.attributes }, filters },
      responses: { 200: { description: 'The counts by day.', schema: documentOf(findingTrends) } },
      handle: async ({ access: { tenantId }, query, read }) => {
        const rows = await read((client) => readTrend(client, tenantId, query));
        const data = findingTrendResource(rows, query.fields.get(FINDING_TRENDS));
        return { status: 200, document: { data } };
      },
    },
  ];
}
