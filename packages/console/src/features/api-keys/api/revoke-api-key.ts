import { type Api, ensureSuccess } from '../../../lib/api/api.ts';

/** Revokes a key with immediate effect. Throws a `RequestError`. */
export async function revokeApiKey(api: Api, id: string): Promise<void> {
  await ensureSuccess(api.DELETE('/api/v1/api-keys/{id}', { params: { path: { id } } }));
}
