import { queryOptions } from '@tanstack/react-query';
import { type Api, documentOf } from '../../../lib/api/api.ts';

/** Every limit in force. They change with a restart of the service only. */
export const limitsQuery = (api: Api) =>
  queryOptions({
    queryKey: ['limits'],
    queryFn: async ({ signal }) => (await documentOf(api.GET('/api/v1/limits', { signal }))).data.attributes,
    staleTime: 600_000,
  });
