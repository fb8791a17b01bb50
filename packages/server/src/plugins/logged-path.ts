import { redactApiKeys } from '../access/redact-api-keys.ts';

/** The path of a request for the log: without the query, and without API keys that were mistakenly sent in it. */
export function loggedPath(url: string): string {
  const [path = ''] = url.split(/[?#]/);
  return redactApiKeys(path);
}
