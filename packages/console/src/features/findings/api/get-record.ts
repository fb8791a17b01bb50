import { queryOptions } from '@tanstack/react-query';
import { type Api, readDocument } from '../../../lib/api/api.ts';
import { extractRawRecord } from './extract-raw-record.ts';

/** The raw record of a finding. The record never changes within an ingestion. */
export const recordQuery = (api: Api, id: string, ingestion: string) =>
  queryOptions({
    queryKey: ['findings', 'record', id, ingestion],
    queryFn: async ({ signal }) => {
      const query = { 'fields[findings]': ['raw' as const] };
      const params = { path: { id }, query };
      return extractRawRecord(
        await readDocument(api.GET('/api/v1/findings/{id}', { params, signal, parseAs: 'text' })),
      );
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
