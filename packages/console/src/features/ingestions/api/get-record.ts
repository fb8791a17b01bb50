import { queryOptions } from '@tanstack/react-query';
import { type Api, readDocument } from '../../../lib/api/api.ts';
import type { components } from '../../../lib/api/schema.d.ts';

export type IngestionRecord = components['schemas']['IngestionRecord']['attributes'];

/** Fetches a record from an uploaded file by index, starting at 0. Uploaded files never change. */
export const recordQuery = (api: Api, id: string, index: number) =>
  queryOptions({
    queryKey: ['ingestions', id, 'records', index],
    queryFn: async ({ signal }) => {
      const params = { path: { id, record_index: index } };
      const request = api.GET('/api/v1/ingestions/{id}/records/{record_index}', { params, signal });
      return (await readDocument(request)).data.attributes;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
