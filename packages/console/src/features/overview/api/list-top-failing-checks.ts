import { queryOptions } from '@tanstack/react-query';
import { type Api, readDocument } from '../../../lib/api/api.ts';

/** The checks with the most failing findings. The query takes about one second per million findings. */
export const topFailingChecksQuery = (api: Api, size: number) =>
  queryOptions({
    queryKey: ['checks', 'worst', size],
    queryFn: async ({ signal }) => {
      const { data } = await readDocument(
        api.GET('/api/v1/checks', {
          params: {
            query: {
              sort: ['-failing', 'check_id'],
              'page[size]': size,
              'fields[checks]': ['provider_type', 'check_id', 'title', 'severity', 'findings'],
            },
          },
          signal,
        }),
      );
      return data;
    },
    staleTime: 60_000,
  });
