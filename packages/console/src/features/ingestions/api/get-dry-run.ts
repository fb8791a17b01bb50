import { queryOptions } from '@tanstack/react-query';
import { type Api, readDocument } from '../../../lib/api/api.ts';
import type { DryRun } from '../../../lib/api/types.ts';

/** The report of a dry run that has ended. */
export const dryRunQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: ['ingestions', id, 'dry-run'],
    queryFn: async ({ signal }): Promise<DryRun> => {
      const request = api.GET('/api/v1/ingestions/{id}/dry-run', { params: { path: { id } }, signal });
      const { data } = await readDocument(request);
      return data.attributes;
    },
  });
