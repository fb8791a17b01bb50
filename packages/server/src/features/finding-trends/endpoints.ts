import { z } from 'zod';
import { READ_FINDINGS } from '../../access/rules.ts';
import type { Endpoint } from '../../api/endpoint.ts';
import { equalityFilters, type Filters } from '../../jsonapi/filters.ts';
import { documentOf } from '../../jsonapi/schemas.ts';
import { accountFilters, providerType } from '../providers/filters.ts';
import { readTrend } from './repository.ts';
import { FINDING_TRENDS, findingTrendResource, findingTrends } from './resource.ts';

const filters: Filters = {
  ...equalityFilters('provider', 's.provider_id', z.uuid(), 'uuid'),
  ...equalityFilters('provider_type', 'p.type', providerType, 'text'),
  ...accountFilters('p.account'),
};

/** How findings have failed over time; keys that may read findings see it. */
export function findingTrendEndpoints(): readonly Endpoint[] {
  return [
    {
      method: 'GET',
      path: '/findings/trend',
      operationId: 'readFindingTrend',
      tag: 'Findings',
      summary: 'Count failing findings over time',
      description:
        "A day's counts are those of the last upload of each account up to its end, by the time of its records, in UTC. An account of which an upload brings only a part is shown with that part. Accounts that were deleted are not in it.",
      access: READ_FINDINGS,
      query: { fields: { [FINDING_TRENDS]: findingTrends.attributes }, filters },
      responses: { 200: { description: 'The counts by day', schema: documentOf(findingTrends) } },
      handle: async ({ access: { tenantId }, query, read }) => {
        const rows = await read((client) => readTrend(client, tenantId, query));
        const data = findingTrendResource(rows, query.fields.get(FINDING_TRENDS));
        return { status: 200, document: { data } };
      },
    },
  ];
}
