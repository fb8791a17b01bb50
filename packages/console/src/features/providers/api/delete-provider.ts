import { type Api, ensureSuccess } from '../../../lib/api/api.ts';

/** Deletes a provider with its findings and scans. Throws a `RequestError`. */
export async function deleteProvider(api: Api, id: string): Promise<void> {
  await ensureSuccess(api.DELETE('/api/v1/providers/{id}', { params: { path: { id } } }));
}
