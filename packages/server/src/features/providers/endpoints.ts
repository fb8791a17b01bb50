import { z } from 'zod';
import type { ApiDependencies } from '../../http/endpoints/dependencies.ts';
import type { Endpoint } from '../../http/endpoints/endpoint.ts';
import { getEndpoint, listEndpoint } from '../../http/endpoints/resource-endpoints.ts';
import { equalityFilters, filter, searchFilter } from '../../jsonapi/filters.ts';
import { accountFilters, providerType } from '../../resources/provider-filters.ts';
import { listProviders, providerResourceType } from '../../resources/providers.ts';
import { changeProviderEndpoints } from './change-endpoints.ts';

const filters = {
  ...equalityFilters('type', 'type', providerType, 'text'),
  ...accountFilters('account'),
  alias: filter({
    description: 'Returns providers with this alias.',
    schema: z.string(),
    condition: (value) => ({ sql: (bind) => `alias = ${bind(value)}::text` }),
  }),
  search: searchFilter(
    'Returns providers whose account, name or alias contains this text. Case-insensitive.',
    ['account', 'name', 'alias'],
  ),
};

/** The provider endpoints. */
export function providerEndpoints(dependencies: ApiDependencies): readonly Endpoint[] {
  const common = { resourceType: providerResourceType, tag: 'Providers' } as const;
  const list = listEndpoint(dependencies, {
    ...common,
    operationId: 'listProviders',
    summary: 'List providers',
    responseDescription: 'A page of providers.',
    filters,
    sorts: {
      type: { sql: 'type', type: 'text' },
      account: { sql: 'account', type: 'text' },
      alias: { sql: 'alias', type: 'text', nullable: true },
      inserted_at: { sql: 'created_at', type: 'timestamptz' },
    },
    defaultSort: 'type,account',
    select: listProviders,
  });
  const get = getEndpoint(dependencies, {
    ...common,
    operationId: 'getProvider',
    summary: 'Get a provider',
    responseDescription: 'The provider.',
  });
  return [list, get, ...changeProviderEndpoints(dependencies)];
}
