import { queryOptions } from '@tanstack/react-query';
import { type Api, readDocument } from '../../../lib/api/api.ts';
import { fetchWithJobs } from './fetch-with-jobs.ts';
import { type ListedScan, toListedScans } from './listed-scan.ts';

/** The refetch interval while the scan's job is running, in milliseconds. */
const REFRESH_MS = 3000;

export const scanQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: ['scans', 'one', id],
    queryFn: async ({ signal, client }): Promise<ListedScan> => {
      const { data, included } = await fetchWithJobs(client, (include) =>
        readDocument(api.GET('/api/v1/scans/{id}', { params: { path: { id }, query: { include } }, signal })),
      );
      const [scan] = toListedScans([data], included);
      if (scan === undefined) throw new Error('The response contains no scan');
      return scan;
    },
    // A running job can add records to the scan.
    refetchInterval: ({ state: { data } }) => {
      const status = data?.ingestion?.attributes.status;
      return status === 'pending' || status === 'processing' ? REFRESH_MS : false;
    },
  });
