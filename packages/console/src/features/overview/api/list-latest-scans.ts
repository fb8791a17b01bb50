import { queryOptions } from '@tanstack/react-query';
import { type Api, readDocument } from '../../../lib/api/api.ts';
import { indexIncluded } from '../../../lib/api/included.ts';
import type { Provider, Scan } from '../../../lib/api/types.ts';

/** A scan with its counts of changes, except `unchanged`. */
interface LatestScan {
  readonly scan: Scan;
  /** `undefined` if the provider was just deleted. */
  readonly provider: Provider | undefined;
}

/** The latest scans of all accounts, newest first. */
export const latestScansQuery = (api: Api, size: number) =>
  queryOptions({
    queryKey: ['scans', 'latest', size],
    queryFn: async ({ signal }): Promise<readonly LatestScan[]> => {
      const { data, included } = await readDocument(
        api.GET('/api/v1/scans', {
          params: {
            query: {
              sort: ['-inserted_at'],
              'page[size]': size,
              include: ['provider'],
              'fields[scans]': ['inserted_at', 'regressed', 'new', 'reopened', 'fixed', 'resolved'],
              'fields[providers]': ['account', 'name', 'alias'],
            },
          },
          signal,
        }),
      );
      const providers = indexIncluded(included, 'providers');
      return data.map((scan) => ({
        scan,
        provider: providers.get(scan.relationships.provider.data?.id ?? ''),
      }));
    },
  });
