/** What looks like an API key, also with its dot percent-encoded. */
const KEY = /(sk_[0-9A-Za-z]{8})(?:\.|%2e)[0-9A-Za-z]+/gi;

/** The path of a request for the log: without the query, and without a key that somebody took for a part of it. */
export function loggedPath(url: string): string {
  const [path = ''] = url.split(/[?#]/);
  return withoutKeys(path);
}

/** A text of a client without the secret part of keys. */
export function withoutKeys(text: string): string {
  return text.replace(KEY, '$1.[redacted]');
}
