import { queryOptions } from '@tanstack/react-query';
import { type Api, documentOf } from '../../../lib/api/api.ts';
import { type ListedScan, listedScans } from './listed-scan.ts';
import { withJobs } from './with-jobs.ts';

/** How often a scan that still grows is asked for again, in milliseconds. */
const REFRESH_MS = 3000;

export const scanQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: ['scans', 'one', id],
    queryFn: async ({ signal, client }): Promise<ListedScan> => {
      const { data, included } = await withJobs(client, (include) =>
        documentOf(api.GET('/api/v1/scans/{id}', { params: { path: { id }, query: { include } }, signal })),
      );
      const [scan] = listedScans([data], included);
      if (scan === undefined) throw new Error('the scan was lost on the way');
      return scan;
    },
    // While its job is at work, more records may come to it.
    refetchInterval: ({ state: { data } }) => {
      const status = data?.ingestion?.attributes.status;
      return status === 'pending' || status === 'processing' ? REFRESH_MS : false;
    },
  });
