import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Api, readDocument } from '../../../lib/api/api.ts';
import { withFilters } from './with-filters.ts';

/** The counts of the findings that match the filters from `filterQuery`. */
export const summaryQuery = (api: Api, filters: string) =>
  queryOptions({
    queryKey: ['findings', 'summary', filters],
    queryFn: async ({ signal }) => {
      const { data } = await readDocument(
        api.GET('/api/v1/findings/summary', { signal, ...withFilters(filters) }),
      );
      return data.attributes;
    },
    staleTime: 30_000,
    placeholderData: keepPreviousData,
  });
