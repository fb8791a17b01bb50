import { redactApiKeys } from '../../observability/redact-api-keys.ts';

/** Returns the request path for the log, without the query and without API keys that were sent in the path by mistake. */
export function loggedPath(url: string): string {
  const [path = ''] = url.split(/[?#]/);
  return redactApiKeys(path);
}
