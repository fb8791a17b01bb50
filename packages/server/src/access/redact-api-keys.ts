/** What looks like an API key, also with its dot percent-encoded. */
const KEY = /(sk_[0-9A-Za-z]{8})(?:\.|%2e)[0-9A-Za-z]+/gi;

/** A text of a client without the secret part of keys. */
export function redactApiKeys(text: string): string {
  return text.replace(KEY, '$1.[redacted]');
}
