import { queryOptions } from '@tanstack/react-query';
import { type Api, readDocument } from '../../../lib/api/api.ts';

/** More than this many nobody would look through; the search finds the others. */
const ACCOUNTS = 100;

/** The first accounts of the tenant, to choose from. */
export const accountsQuery = (api: Api) =>
  queryOptions({
    queryKey: ['providers', 'accounts'],
    queryFn: async ({ signal }) => {
      const query = {
        'fields[providers]': ['type' as const, 'account' as const, 'name' as const, 'alias' as const],
        'page[size]': ACCOUNTS,
      };
      const { data } = await readDocument(api.GET('/api/v1/providers', { params: { query }, signal }));
      return data;
    },
    staleTime: 60_000,
  });
