import type { CustomFetchOptions, ProtectedResourceRequestBody } from 'oauth4webapi';
import { fetch } from 'undici';
import { createProxyAgent } from './proxies.ts';

/** `fetch` as an OAuth client calls it. */
export type Fetch = (
  url: string,
  options: CustomFetchOptions<string, ProtectedResourceRequestBody | undefined>,
) => Promise<Response>;

/** Sends requests through the proxy. Their bodies are forms or empty. */
export function fetchThrough(proxy: URL): Fetch {
  const dispatcher = createProxyAgent(proxy);
  return (url, { method, headers, redirect, body, signal }) =>
    fetch(url, {
      ...{ method, headers, redirect, dispatcher },
      ...(body instanceof URLSearchParams && { body: body.toString() }),
      ...(signal && { signal }),
    });
}
