import { queryOptions } from '@tanstack/react-query';
import { type Api, readDocument } from '../../../lib/api/api.ts';
import { ApiError } from '../../../lib/api/api-error.ts';

/**
 * The service's error if the key can't upload: 401, 402 or 403 (docs/specification.md, "Authentication"). Null if the
 * key can upload. Reading findings requires neither the upload permission nor a subscription.
 */
export const uploadAccessQuery = (api: Api) =>
  queryOptions({
    queryKey: ['ingestions', 'access'],
    queryFn: async ({ signal }): Promise<ApiError | null> => {
      try {
        const query = { 'page[size]': 1, 'fields[ingestions]': ['status' as const] };
        await readDocument(api.GET('/api/v1/ingestions', { params: { query }, signal }));
        return null;
      } catch (error) {
        if (error instanceof ApiError && error.isAccessDenied) return error;
        throw error;
      }
    },
    staleTime: 60_000,
  });
