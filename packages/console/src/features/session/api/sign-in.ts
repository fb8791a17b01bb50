import { type Api, authorization, readDocument } from '../../../lib/api/api.ts';

/** Validates the key with the service. Throws a `RequestError` if the key is invalid or the request fails. */
export async function checkKey(api: Api, apiKey: string): Promise<void> {
  // Any valid key may read the subscription of its tenant.
  await readDocument(api.GET('/api/v1/subscription', { headers: { authorization: authorization(apiKey) } }));
}
