import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Api, readDocument } from '../../../lib/api/api.ts';
import { listPage } from '../../../lib/api/list-page.ts';

export const ERROR_SORTS = ['record_index', 'byte_offset', 'code'] as const;
type Sort = (typeof ERROR_SORTS)[number];

export interface ErrorList {
  readonly ingestionId: string;
  readonly codes: readonly string[];
  readonly sort: Sort | `-${Sort}`;
  readonly page: number;
  readonly pageSize: number;
}

/** Returns a page of a job's errors and the total count of each error code. */
export async function listErrors(api: Api, list: ErrorList, signal: AbortSignal) {
  const { ingestionId: id, codes, sort, page, pageSize } = list;
  const query = {
    ...(codes.length > 0 && { 'filter[code__in]': [...codes] }),
    sort: [sort],
    'page[number]': page,
    'page[size]': pageSize,
  };
  const { data, meta } = await readDocument(
    api.GET('/api/v1/ingestions/{id}/errors', { params: { path: { id }, query }, signal }),
  );
  return { ...listPage(data, meta.pagination), counts: meta.counts };
}

export type ErrorPage = Awaited<ReturnType<typeof listErrors>>;

const POLL_MS = 2000;

/** `running` indicates whether more errors can occur. */
export const errorsQuery = (api: Api, list: ErrorList, running: boolean) =>
  queryOptions({
    // The key includes `running`, so that the list is fetched again when the job ends.
    queryKey: ['ingestions', list.ingestionId, 'errors', list, running],
    queryFn: ({ signal }) => listErrors(api, list, signal),
    placeholderData: keepPreviousData,
    refetchInterval: running ? POLL_MS : false,
  });
