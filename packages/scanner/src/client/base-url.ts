import { PushError } from './push-error.ts';

const API_PATH = /\/api(\/v1)?$/;

/**
 * Parses the base URL of a service. If the URL has no scheme, `https://` is used, or `http://` for the local machine.
 * Trailing slashes and the API path are removed. Throws a PushError with the code `invalid_base_url`.
 */
export function readBaseUrl(text: string): URL {
  const trimmed = text.trim();
  const schemed = /^[a-z][a-z\d+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  const url = URL.canParse(schemed) ? new URL(schemed) : undefined;
  // The part before an @ can contain a password, so the value is not printed.
  const shown = trimmed.includes('@') ? 'it' : trimmed;
  if (url === undefined || url.hostname === '')
    throw invalid(shown, 'is not a URL', 'use a URL such as https://sluice.example');
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw invalid(shown, `starts with ${url.protocol}//`, 'use http:// or https://');
  if (url.username !== '' || url.password !== '')
    throw invalid(shown, 'contains credentials', 'remove them, because only the API key is used');
  if (url.search !== '' || url.hash !== '') throw invalid(shown, 'has a query or fragment', 'remove it');
  if (schemed !== trimmed && isLoopback(url.hostname)) url.protocol = 'http:';
  url.pathname = url.pathname.replace(/\/+$/, '').replace(API_PATH, '').replace(/\/+$/, '');
  return url;
}

/** Whether a host name or address always refers to the local machine (RFC 6761, section 6.3; RFC 1122; RFC 4291). */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Appends a path to the base URL, as in `serviceUrl(base, '/scans')`. */
export function serviceUrl(base: URL, path: string): string {
  return `${base.href.replace(/\/+$/, '')}${path}`;
}

function invalid(shown: string, problem: string, advice: string): PushError {
  const value = shown === '' ? 'the value' : shown;
  return new PushError('invalid_base_url', `invalid base URL: ${value} ${problem}; ${advice}`);
}
