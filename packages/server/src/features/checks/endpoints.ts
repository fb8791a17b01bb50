import { z } from 'zod';
import type { ApiDependencies } from '../../api/dependencies.ts';
import type { Endpoint } from '../../api/endpoint.ts';
import { getEndpoint, listEndpoint } from '../../api/resource-endpoints.ts';
import { equalityFilters, filter, searchFilter } from '../../jsonapi/filters.ts';
import { providerType } from '../providers/filters.ts';
import { CHECK_KEY_SQL } from './check-key.ts';
import { CHECK_SORTS, listChecks } from './repository.ts';
import { checkResourceType } from './resource-type.ts';

const filters = {
  ...equalityFilters('provider_type', 'provider_type', providerType, 'text'),
  category: filter({
    description: 'Only those that have this among their categories',
    schema: z.string(),
    condition: (value) => ({ sql: (bind) => `${bind(value)}::text = any(categories)` }),
  }),
  search: searchFilter('Only those with this text in their title or id', ['title', CHECK_KEY_SQL]),
};

/** The endpoints of checks: who has a key of the tenant may read them. */
export function checkEndpoints(dependencies: ApiDependencies): readonly Endpoint[] {
  const common = { resourceType: checkResourceType, tag: 'Checks' } as const;
  const list = listEndpoint(dependencies, {
    ...common,
    operationId: 'listChecks',
    summary: 'List checks',
    description:
      'Every check that a finding was ever judged by, also where no provider is left that has findings of it. Findings are counted for each request; name other fields where you need no counts.',
    responseDescription: 'A page of checks',
    filters,
    sorts: CHECK_SORTS,
    defaultSort: 'check_id',
    select: listChecks,
  });
  const get = getEndpoint(dependencies, {
    ...common,
    operationId: 'getCheck',
    summary: 'Get a check',
    description: 'Its id is percent-encoded in the address, as links.self has it.',
    responseDescription: 'The check',
  });
  return [list, get];
}
