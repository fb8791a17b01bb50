import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Api, documentOf } from '../../../lib/api/api.ts';
import { filtered } from './filtered.ts';

/** Counts of the findings under these filters, as `filterQuery` writes them. */
export const summaryQuery = (api: Api, filters: string) =>
  queryOptions({
    queryKey: ['findings', 'summary', filters],
    queryFn: async ({ signal }) => {
      const { data } = await documentOf(
        api.GET('/api/v1/findings/summary', { signal, ...filtered(filters) }),
      );
      return data.attributes;
    },
    staleTime: 30_000,
    placeholderData: keepPreviousData,
  });
