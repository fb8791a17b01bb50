/** Matches API keys, including those with a percent-encoded dot. */
const KEY = /(sk_[0-9A-Za-z]{8})(?:\.|%2e)[0-9A-Za-z]+/gi;

/** Redacts API key secrets in text received from a client. */
export function redactApiKeys(text: string): string {
  return text.replace(KEY, '$1.[redacted]');
}
