import { queryOptions } from '@tanstack/react-query';
import { type Api, readDocument } from '../../../lib/api/api.ts';
import type { Scan } from '../../../lib/api/types.ts';

/** How many scans to search. The API filters by day only, and an account can have several scans on the same day. */
const MAX_CANDIDATES = 100;

/** The previous scan of the same account, or null if there is none. */
export const previousScanQuery = (api: Api, { attributes, relationships }: Scan) => {
  const provider = relationships.provider.data?.id;
  const { inserted_at } = attributes;
  return queryOptions({
    queryKey: ['scans', 'before', provider, inserted_at],
    queryFn: async ({ signal }): Promise<Scan | null> => {
      const query = {
        ...(provider !== undefined && { 'filter[provider]': provider }),
        'filter[inserted_at__lte]': inserted_at.slice(0, 'yyyy-mm-dd'.length),
        sort: ['-inserted_at' as const],
        'page[size]': MAX_CANDIDATES,
      };
      const { data } = await readDocument(api.GET('/api/v1/scans', { params: { query }, signal }));
      // Both times are in UTC with microseconds, so comparing the strings compares the times.
      return data.find((scan) => scan.attributes.inserted_at < inserted_at) ?? null;
    },
    enabled: provider !== undefined,
  });
};
