import { type Api, authorization, readDocument } from '../../../lib/api/api.ts';

/** Validates the key with the service. Throws a `RequestError` if the key is invalid or the request fails. */
export async function checkKey(api: Api, apiKey: string): Promise<void> {
  // Any valid key can read its tenant's subscription.
  await readDocument(api.GET('/api/v1/subscription', { headers: { authorization: authorization(apiKey) } }));
}
