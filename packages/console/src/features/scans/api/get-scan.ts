import { queryOptions } from '@tanstack/react-query';
import { type Api, readDocument } from '../../../lib/api/api.ts';
import { fetchWithJobs } from './fetch-with-jobs.ts';
import { type ListedScan, toListedScans } from './listed-scan.ts';

/** How often a scan that still grows is asked for again, in milliseconds. */
const REFRESH_MS = 3000;

export const scanQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: ['scans', 'one', id],
    queryFn: async ({ signal, client }): Promise<ListedScan> => {
      const { data, included } = await fetchWithJobs(client, (include) =>
        readDocument(api.GET('/api/v1/scans/{id}', { params: { path: { id }, query: { include } }, signal })),
      );
      const [scan] = toListedScans([data], included);
      if (scan === undefined) throw new Error('the scan was lost on the way');
      return scan;
    },
    // While its job is at work, more records may come to it.
    refetchInterval: ({ state: { data } }) => {
      const status = data?.ingestion?.attributes.status;
      return status === 'pending' || status === 'processing' ? REFRESH_MS : false;
    },
  });
