import { z } from 'zod';
import type { ApiDependencies } from '../../http/endpoints/dependencies.ts';
import type { Endpoint } from '../../http/endpoints/endpoint.ts';
import { includeRelated } from '../../http/endpoints/includes.ts';
import { getEndpoint, listEndpoint } from '../../http/endpoints/resource-endpoints.ts';
import {
  type Condition,
  equalityFilters,
  type Filters,
  filter,
  hasNullableText,
  nullableFilters,
  valueFilters,
} from '../../jsonapi/filters.ts';
import { ofProviderFilters } from '../../resources/provider-filters.ts';
import { providerResourceType } from '../../resources/providers.ts';
import {
  listResources,
  RESOURCE_SORTS,
  type ResourceRow,
  resourceResourceType,
} from '../../resources/resources.ts';
import { matchesWord, SEARCH_SYNTAX, searchWord, splitWords } from '../../resources/search-words.ts';

const filters: Filters = {
  ...equalityFilters('provider', 'resources.provider_id', z.uuid(), 'uuid'),
  ...ofProviderFilters('resources'),
  ...nullableFilters('service', (services) => ({ sql: hasNullableText('resources.service', services) })),
  ...nullableFilters('region', (regions) => ({ sql: hasNullableText('resources.region', regions) })),
  ...nullableFilters('type', (types) => ({ sql: hasNullableText('resources.type', types) })),
  ...valueFilters('label', z.string(), hasLabel, {
    one: 'Matches resources that have this label.',
    several: 'Matches resources that have any of these labels. Separate them with commas.',
  }),
  search: filter({
    description: `Returns resources whose name or uid contains these words. ${SEARCH_SYNTAX}`,
    schema: z.string(),
    condition: matchesWords,
  }),
};

function hasLabel(labels: readonly string[]): Condition {
  return { sql: (bind) => `resources.labels && ${bind(labels)}::text[]` };
}

function matchesWords(text: string): Condition {
  const words = splitWords(text).map(searchWord);
  const names = `lower(resources.uid || E'\\n' || coalesce(resources.name, ''))`;
  return {
    sql: (bind) => ['true', ...words.map((word) => matchesWord(names, word, bind))].join(' and '),
  };
}

const includes = {
  provider: includeRelated(providerResourceType, ({ provider_id }: ResourceRow) => [provider_id]),
};

/** The resource endpoints. */
export function resourceEndpoints(dependencies: ApiDependencies): readonly Endpoint[] {
  const common = { resourceType: resourceResourceType, tag: 'Resources', includes } as const;
  const list = listEndpoint(dependencies, {
    ...common,
    operationId: 'listResources',
    summary: 'List resources',
    description:
      'Returns all resources that records have named, including resources that no longer have findings. A finding that refers to several resources is counted for each of them. Names are sorted by code point, and resources without a name by their uid.',
    responseDescription: 'A page of resources.',
    filters,
    sorts: RESOURCE_SORTS,
    defaultSort: 'name',
    cursors: true,
    select: listResources,
  });
  const get = getEndpoint(dependencies, {
    ...common,
    operationId: 'getResource',
    summary: 'Get a resource',
    responseDescription: 'The resource.',
  });
  return [list, get];
}
