import { queryOptions } from '@tanstack/react-query';
import { type Api, readDocument } from './api.ts';

/** More on a page would make its answer no faster. */
const LARGEST_PAGE = 1000;

/** Every limit in force. They change with a restart of the service only. */
export const limitsQuery = (api: Api) =>
  queryOptions({
    queryKey: ['limits'],
    queryFn: ({ signal }) => getLimits(api, signal),
    staleTime: 600_000,
  });

/** How many resources to ask for at once where a whole list is read. Throws a `RequestError`. */
export async function largestPage(api: Api, signal: AbortSignal): Promise<number> {
  return Math.min(LARGEST_PAGE, (await getLimits(api, signal)).max_page_size);
}

async function getLimits(api: Api, signal: AbortSignal) {
  return (await readDocument(api.GET('/api/v1/limits', { signal }))).data.attributes;
}
