import { queryOptions } from '@tanstack/react-query';
import { type Api, readDocument } from '../../../lib/api/api.ts';

/** The most severe failing findings that are new in the latest scan of their account, and their total count. */
export const newFailingQuery = (api: Api, size: number) =>
  queryOptions({
    queryKey: ['findings', 'new-failing', size],
    queryFn: async ({ signal }) => {
      const { data, meta } = await readDocument(
        api.GET('/api/v1/findings', {
          params: {
            query: {
              'filter[delta]': 'new',
              'filter[status]': 'FAIL',
              'filter[muted]': 'false',
              'page[size]': size,
              'fields[findings]': [
                'check_id',
                'check_title',
                'severity',
                'status',
                'resource',
                'account',
                'status_changed_at',
              ],
            },
          },
          signal,
        }),
      );
      return { findings: data, count: meta.pagination?.count ?? data.length };
    },
  });
