import { queryOptions } from '@tanstack/react-query';
import { type Api, readDocument } from '../../../lib/api/api.ts';
import { ApiError } from '../../../lib/api/api-error.ts';
import { formatTime } from '../../../lib/format-time.ts';

/** A description of the scan with this ID. Null if there is none, because the ID is that of an upload. */
export const scanNameQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: ['scans', 'name', id],
    queryFn: async ({ signal }): Promise<string | null> => {
      const query = {
        include: ['provider' as const],
        'fields[scans]': ['inserted_at' as const],
        'fields[providers]': ['account' as const, 'name' as const, 'alias' as const],
      };
      try {
        const { data, included = [] } = await readDocument(
          api.GET('/api/v1/scans/{id}', { params: { path: { id }, query }, signal }),
        );
        const provider = included.find((each) => each.type === 'providers')?.attributes;
        const account = provider?.alias ?? provider?.name ?? provider?.account ?? 'a deleted account';
        return `scan of ${account}, ${formatTime(data.attributes.inserted_at)}`;
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
