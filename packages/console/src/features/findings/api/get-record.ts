import { queryOptions } from '@tanstack/react-query';
import { type Api, documentOf } from '../../../lib/api/api.ts';
import { rawOf } from './raw-of.ts';

/** The text of the record that a finding was read from, byte for byte. It never changes for an ingestion. */
export const recordQuery = (api: Api, id: string, ingestion: string) =>
  queryOptions({
    queryKey: ['findings', 'record', id, ingestion],
    queryFn: async ({ signal }) => {
      const query = { 'fields[findings]': ['raw' as const] };
      const params = { path: { id }, query };
      return rawOf(await documentOf(api.GET('/api/v1/findings/{id}', { params, signal, parseAs: 'text' })));
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
