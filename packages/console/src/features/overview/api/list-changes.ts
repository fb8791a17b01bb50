import { queryOptions } from '@tanstack/react-query';
import { type Api, readDocument } from '../../../lib/api/api.ts';

/** How findings can change between scans. */
export type Change = 'newly-failing' | 'changed';

const FILTERS = {
  'newly-failing': { 'filter[delta]': 'new', 'filter[status]': 'FAIL', 'filter[muted]': 'false' },
  changed: { 'filter[delta]': 'changed' },
} as const;

/**
 * The most severe findings that are new or changed in the latest scan of their account, and the total count of such
 * findings.
 */
export const changesQuery = (api: Api, change: Change, size: number) =>
  queryOptions({
    queryKey: ['findings', 'changes', change, size],
    queryFn: async ({ signal }) => {
      const { data, meta } = await readDocument(
        api.GET('/api/v1/findings', {
          params: {
            query: {
              ...FILTERS[change],
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
