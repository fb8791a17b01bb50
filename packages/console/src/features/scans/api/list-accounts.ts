import { queryOptions } from '@tanstack/react-query';
import { type Api, readDocument } from '../../../lib/api/api.ts';

/** The maximum number of accounts in the filter. The search field finds all other accounts. */
const MAX_ACCOUNTS = 100;

/** The tenant's first accounts, for the filter. */
export const accountsQuery = (api: Api) =>
  queryOptions({
    queryKey: ['providers', 'accounts'],
    queryFn: async ({ signal }) => {
      const query = {
        'fields[providers]': ['type' as const, 'account' as const, 'name' as const, 'alias' as const],
        'page[size]': MAX_ACCOUNTS,
      };
      const { data } = await readDocument(api.GET('/api/v1/providers', { params: { query }, signal }));
      return data;
    },
    staleTime: 60_000,
  });
