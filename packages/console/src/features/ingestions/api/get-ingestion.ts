import { queryOptions } from '@tanstack/react-query';
import type { Api } from '../../../lib/api/api.ts';
import { getIngestion } from '../../../lib/api/get-ingestion.ts';

/** A job, which is polled at the interval that the service requests until it ends. */
export const ingestionQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: ['ingestions', id],
    queryFn: ({ signal }) => getIngestion(api, id, signal),
    refetchInterval: ({ state }) => state.data?.pollMs ?? false,
  });
