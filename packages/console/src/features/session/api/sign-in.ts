import { type Api, authorization, readDocument } from '../../../lib/api/api.ts';

/** Asks the service whether it knows this key. Throws a `RequestError` where it does not, or cannot say. */
export async function checkKey(api: Api, apiKey: string): Promise<void> {
  // Any key may read its tenant's subscription, so this fails for no other reason.
  await readDocument(api.GET('/api/v1/subscription', { headers: { authorization: authorization(apiKey) } }));
}
