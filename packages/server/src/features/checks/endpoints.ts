import { z } from 'zod';
import type { ApiDependencies } from '../../http/endpoints/dependencies.ts';
import type { Endpoint } from '../../http/endpoints/endpoint.ts';
import { getEndpoint, listEndpoint } from '../../http/endpoints/resource-endpoints.ts';
import { equalityFilters, filter, searchFilter } from '../../jsonapi/filters.ts';
import { CHECK_KEY_SQL } from '../../resources/check-key.ts';
import { CHECK_SORTS, checkResourceType, listChecks } from '../../resources/checks.ts';
import { providerType } from '../../resources/provider-filters.ts';

const filters = {
  ...equalityFilters('provider_type', 'provider_type', providerType, 'text'),
  category: filter({
    description: 'Returns checks in this category.',
    schema: z.string(),
    condition: (value) => ({ sql: (bind) => `${bind(value)}::text = any(categories)` }),
  }),
  search: searchFilter('Returns checks whose title or ID contains this text. Case-insensitive.', [
    'title',
    CHECK_KEY_SQL,
  ]),
};

/** The check endpoints. */
export function checkEndpoints(dependencies: ApiDependencies): readonly Endpoint[] {
  const common = { resourceType: checkResourceType, tag: 'Checks' } as const;
  const list = listEndpoint(dependencies, {
    ...common,
    operationId: 'listChecks',
    summary: 'List checks',
    description:
      'Returns every check that has ever produced a finding, even if no provider currently has findings for it. Finding counts are computed for each request; for faster responses, exclude them with `fields[checks]`.',
    responseDescription: 'A page of checks.',
    filters,
    sorts: CHECK_SORTS,
    defaultSort: 'check_id',
    select: listChecks,
  });
  const get = getEndpoint(dependencies, {
    ...common,
    operationId: 'getCheck',
    summary: 'Get a check',
    description: 'Percent-encode the ID in the path, as in `links.self`.',
    responseDescription: 'The check.',
  });
  return [list, get];
}
