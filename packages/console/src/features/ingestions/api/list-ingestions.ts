import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Api, readDocument } from '../../../lib/api/api.ts';
import { isRunning } from '../../../lib/api/get-ingestion.ts';
import { listPage } from '../../../lib/api/list-page.ts';
import type { IngestionStatus } from '../../../lib/api/types.ts';

export const INGESTION_SORTS = ['requested_at', 'completed_at'] as const;
type Sort = (typeof INGESTION_SORTS)[number];

export interface IngestionList {
  readonly statuses: readonly IngestionStatus[];
  /** Dates in UTC, both inclusive. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly text: string | undefined;
  /** A label `key=value`. */
  readonly label: string | undefined;
  readonly sort: Sort | `-${Sort}`;
  readonly page: number;
}

const PAGE_SIZE = 25;
const POLL_MS = 1000;

/** A page of jobs, which is refetched every second while any of the jobs is running. */
export const ingestionsQuery = (api: Api, list: IngestionList) =>
  queryOptions({
    queryKey: ['ingestions', 'list', list],
    queryFn: async ({ signal }) => {
      const { statuses, from, to, text, label, sort, page } = list;
      const query = {
        ...(statuses.length > 0 && { 'filter[status__in]': [...statuses] }),
        // The API can't filter by the time at which the upload started, only by the time at which the file was stored.
        ...(from !== undefined && { 'filter[inserted_at__gte]': from }),
        ...(to !== undefined && { 'filter[inserted_at__lte]': to }),
        ...(text !== undefined && { 'filter[search]': text }),
        ...(label !== undefined && { 'filter[label]': label }),
        sort: [sort],
        'page[number]': page,
        'page[size]': PAGE_SIZE,
      };
      const { data, meta } = await readDocument(api.GET('/api/v1/ingestions', { params: { query }, signal }));
      return listPage(data, meta.pagination);
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(isRunning) ? POLL_MS : false),
  });
