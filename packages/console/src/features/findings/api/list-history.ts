import { infiniteQueryOptions } from '@tanstack/react-query';
import { type Api, readDocument } from '../../../lib/api/api.ts';
import { listPage } from '../../../lib/api/list-page.ts';

const PAGE_SIZE = 10;

/** The changes of a finding, newest first. */
export const historyQuery = (api: Api, id: string) =>
  infiniteQueryOptions({
    queryKey: ['findings', 'history', id],
    queryFn: async ({ pageParam, signal }) => {
      const query = { 'page[number]': pageParam, 'page[size]': PAGE_SIZE };
      const { data, meta } = await readDocument(
        api.GET('/api/v1/findings/{id}/history', { params: { path: { id }, query }, signal }),
      );
      return listPage(data, meta.pagination);
    },
    initialPageParam: 1,
    getNextPageParam: ({ pages }, _, page) => (page < pages ? page + 1 : undefined),
  });
