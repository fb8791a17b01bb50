import type { CustomFetchOptions, ProtectedResourceRequestBody } from 'oauth4webapi';
import { fetch } from 'undici';
import { createProxyAgent } from './proxies.ts';

/** The `fetch` function of an OAuth client. */
export type Fetch = (
  url: string,
  options: CustomFetchOptions<string, ProtectedResourceRequestBody | undefined>,
) => Promise<Response>;

/** Creates a `fetch` function that uses the proxy. Request bodies are forms or empty. */
export function fetchThrough(proxy: URL): Fetch {
  const dispatcher = createProxyAgent(proxy);
  return (url, { method, headers, redirect, body, signal }) =>
    fetch(url, {
      ...{ method, headers, redirect, dispatcher },
      ...(body instanceof URLSearchParams && { body: body.toString() }),
      ...(signal && { signal }),
    });
}
