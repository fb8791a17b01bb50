import { queryOptions } from '@tanstack/react-query';
import { type Api, readDocument } from './api.ts';

/** The subscription of the tenant with its provider types, which any key may read. */
export const subscriptionQuery = (api: Api) =>
  queryOptions({
    queryKey: ['subscription'],
    queryFn: async ({ signal }) => (await readDocument(api.GET('/api/v1/subscription', { signal }))).data,
  });
