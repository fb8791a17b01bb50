import { queryOptions } from '@tanstack/react-query';
import { type Api, readDocument } from './api.ts';

/** Larger pages do not improve throughput. */
const MAX_PAGE_SIZE = 1000;

/** The current limits, which only change when the service restarts. */
export const limitsQuery = (api: Api) =>
  queryOptions({
    queryKey: ['limits'],
    queryFn: ({ signal }) => getLimits(api, signal),
    staleTime: 600_000,
  });

/** Returns the page size for reading a complete list. Throws a `RequestError`. */
export async function getMaxPageSize(api: Api, signal: AbortSignal): Promise<number> {
  return Math.min(MAX_PAGE_SIZE, (await getLimits(api, signal)).max_page_size);
}

async function getLimits(api: Api, signal: AbortSignal) {
  return (await readDocument(api.GET('/api/v1/limits', { signal }))).data.attributes;
}
