import { queryOptions } from '@tanstack/react-query';
import { type Api, readDocument } from '../../../lib/api/api.ts';
import type { Scan } from '../../../lib/api/types.ts';

/** The API filters by day: this many of one account on one day are looked through. */
const MAX_CANDIDATES = 100;

/** The scan of the same account that came in before this one; null: there is none. */
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
      // Both are UTC with microseconds, so their texts have the order of the times.
      return data.find((scan) => scan.attributes.inserted_at < inserted_at) ?? null;
    },
    enabled: provider !== undefined,
  });
};
