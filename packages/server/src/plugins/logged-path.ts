import { redactApiKeys } from '../access/redact-api-keys.ts';

/** The path of a request for the log: without the query, and without a key that somebody took for a part of it. */
export function loggedPath(url: string): string {
  const [path = ''] = url.split(/[?#]/);
  return redactApiKeys(path);
}
