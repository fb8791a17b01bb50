import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Api, readDocument } from '../../../lib/api/api.ts';
import { listPage } from '../../../lib/api/list-page.ts';

const PAGE_SIZE = 25;

/** The sort keys that the API supports. */
export const PROVIDER_SORTS = ['type', 'account', 'alias', 'inserted_at'] as const;
type ProviderSort = (typeof PROVIDER_SORTS)[number] | `-${(typeof PROVIDER_SORTS)[number]}`;

interface ProviderList {
  readonly types: readonly string[];
  readonly search: string;
  readonly sort: ProviderSort;
  readonly page: number;
}

/** A page of providers with their finding counts. */
export const providersQuery = (api: Api, { types, search, sort, page }: ProviderList) =>
  queryOptions({
    queryKey: ['providers', 'list', types, search, sort, page],
    queryFn: async ({ signal }) => {
      const query = {
        ...(types.length > 0 && { 'filter[type__in]': [...types] }),
        ...(search !== '' && { 'filter[search]': search }),
        // Many providers share a type, so sort them by account as well.
        sort: sort === 'type' || sort === '-type' ? [sort, 'account' as const] : [sort],
        'page[number]': page,
        'page[size]': PAGE_SIZE,
      };
      const { data, meta } = await readDocument(api.GET('/api/v1/providers', { params: { query }, signal }));
      return listPage(data, meta.pagination);
    },
    placeholderData: keepPreviousData,
  });
