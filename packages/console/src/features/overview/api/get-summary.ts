import { queryOptions } from '@tanstack/react-query';
import { type Api, readDocument } from '../../../lib/api/api.ts';

/** How many findings there are, by everything that they are counted by. */
export const summaryQuery = (api: Api) =>
  queryOptions({
    queryKey: ['findings', 'summary', 'overview'],
    queryFn: async ({ signal }) => {
      const { data } = await readDocument(api.GET('/api/v1/findings/summary', { signal }));
      return data.attributes;
    },
  });
