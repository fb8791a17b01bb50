import { queryOptions } from '@tanstack/react-query';
import type { Client } from 'openapi-fetch';
import { type Api, documentOf, type MEDIA_TYPE } from '../../../lib/api/api.ts';

/** To be replaced by `paths` of schema.d.ts as soon as the endpoint is in it. */
interface RecordPaths {
  '/api/v1/ingestions/{id}/records/{record_index}': {
    get: {
      parameters: { path: { id: string; record_index: number } };
      responses: {
        200: { content: { [MEDIA_TYPE]: { data: { attributes: IngestionRecord } } } };
        404: { content: { [MEDIA_TYPE]: { errors: unknown[] } } };
      };
    };
  };
}

/** A record of an uploaded file; `raw` is at most the first 64 KiB of it. */
export interface IngestionRecord {
  readonly record_index: number;
  readonly byte_offset: number;
  readonly bytes: number;
  readonly raw: string;
  readonly truncated: boolean;
}

/** A record of a job's file by its index, which counts from 0. What was uploaded never changes. */
export const recordQuery = (api: Api, id: string, index: number) =>
  queryOptions({
    queryKey: ['ingestions', id, 'records', index],
    queryFn: async ({ signal }) => {
      const records = api as unknown as Client<RecordPaths, typeof MEDIA_TYPE>;
      const params = { path: { id, record_index: index } };
      const request = records.GET('/api/v1/ingestions/{id}/records/{record_index}', { params, signal });
      return (await documentOf(request)).data.attributes;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
