import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Api, readDocument } from '../../../lib/api/api.ts';
import { listPage } from '../../../lib/api/list-page.ts';
import { fetchWithJobs } from './fetch-with-jobs.ts';
import { toListedScans } from './listed-scan.ts';
import { type ScanFilters, type ScanSort, scanFilterQuery } from './scan-filters.ts';

const PAGE_SIZE = 25;
/** The refetch interval in milliseconds. */
const REFRESH_MS = 10_000;

interface ScanList {
  readonly filters: ScanFilters;
  readonly sort: ScanSort;
  readonly page: number;
}

/** A page of scans with their accounts, and with their jobs if the key can read jobs. */
export const scansQuery = (api: Api, { filters, sort, page }: ScanList) =>
  queryOptions({
    queryKey: ['scans', 'list', filters, sort, page],
    queryFn: async ({ signal, client }) => {
      const { data, included, meta } = await fetchWithJobs(client, (include) => {
        const query = {
          ...scanFilterQuery(filters),
          'fields[providers]': ['type' as const, 'account' as const, 'name' as const, 'alias' as const],
          include,
          sort: [sort],
          'page[number]': page,
          'page[size]': PAGE_SIZE,
        };
        return readDocument(api.GET('/api/v1/scans', { params: { query }, signal }));
      });
      return listPage(toListedScans(data, included), meta.pagination);
    },
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
