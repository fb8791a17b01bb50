import { queryOptions } from '@tanstack/react-query';
import { type Api, readDocument } from './api.ts';

/** The tenant's subscription with its provider types. Any key can read the subscription. */
export const subscriptionQuery = (api: Api) =>
  queryOptions({
    queryKey: ['subscription'],
    queryFn: async ({ signal }) => (await readDocument(api.GET('/api/v1/subscription', { signal }))).data,
  });
