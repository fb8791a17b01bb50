import type { Answer, ApiDocument } from './client.ts';
import type { Service } from './service.ts';

export interface SendOptions {
  /** Default: the service's own. */
  readonly key?: string | undefined;
  /** Of the JSON:API document; without it the request has no body. */
  readonly data?: unknown;
}

/** Sends a request with a JSON:API document, and reads the answer, which may have no body. */
export async function sendDocument<Data, Included = never>(
  service: Service,
  method: string,
  path: string,
  { key = service.key, data }: SendOptions = {},
): Promise<Answer<Data> & { body: ApiDocument<Data> & { readonly included?: Included[] } }> {
  const headers = { authorization: `Api-Key ${key}`, 'content-type': 'application/vnd.api+json' };
  const init = data === undefined ? { headers } : { headers, body: JSON.stringify({ data }) };
  const response = await fetch(`${service.url}/api/v1${path}`, { method, ...init });
  const body = JSON.parse((await response.text()) || '{}');
  return { status: response.status, headers: response.headers, body };
}
