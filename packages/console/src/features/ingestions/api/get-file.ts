import { type Api, readDocument } from '../../../lib/api/api.ts';

/** Downloads a job's uploaded file in decompressed form. Throws a `RequestError`. */
export async function getFile(api: Api, id: string): Promise<Blob> {
  return await readDocument(
    api.GET('/api/v1/ingestions/{id}/file', { params: { path: { id } }, parseAs: 'blob' }),
  );
}
