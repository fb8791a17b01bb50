import { queryOptions } from '@tanstack/react-query';
import { type Api, readDocument } from '../../../lib/api/api.ts';

/** Finding counts, in total and by attribute. */
export const summaryQuery = (api: Api) =>
  queryOptions({
    queryKey: ['findings', 'summary', 'overview'],
    queryFn: async ({ signal }) => {
      const { data } = await readDocument(api.GET('/api/v1/findings/summary', { signal }));
      return data.attributes;
    },
  });
