import { PushError } from './push-error.ts';

const API_PATH = /\/api(\/v1)?$/;

/**
 * The address of a service as people write it: without a scheme it is `https://`, on the own machine `http://`;
 * slashes at its end and the API's own path are dropped. Throws a PushError `invalid_base_url`.
 */
export function readBaseUrl(text: string): URL {
  const trimmed = text.trim();
  const schemed = /^[a-z][a-z\d+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  const url = URL.canParse(schemed) ? new URL(schemed) : undefined;
  // What stands before an @ is a password, or looks like one: such a text is not shown.
  const shown = trimmed.includes('@') ? 'it' : trimmed;
  if (url === undefined || url.hostname === '')
    throw invalid(shown, 'is no address', 'such as https://sluice.example');
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw invalid(shown, `starts with ${url.protocol}//`, 'that starts with http:// or https://');
  if (url.username !== '' || url.password !== '')
    throw invalid(shown, 'names a user', 'without one: the API key is all that is needed');
  if (url.search !== '' || url.hash !== '') throw invalid(shown, 'has a query or fragment', 'without it');
  if (schemed !== trimmed && isLoopback(url.hostname)) url.protocol = 'http:';
  url.pathname = url.pathname.replace(/\/+$/, '').replace(API_PATH, '').replace(/\/+$/, '');
  return url;
}

/** Whether a name or address always means the own machine (RFC 6761, section 6.3; RFC 1122; RFC 4291). */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** An address below the service's own: `serviceUrl(base, '/scans')`. */
export function serviceUrl(base: URL, path: string): string {
  return `${base.href.replace(/\/+$/, '')}${path}`;
}

function invalid(shown: string, problem: string, wanted: string): PushError {
  const what = shown === '' ? 'an empty text' : shown;
  return new PushError(
    'invalid_base_url',
    `the base address is wrong: ${what} ${problem}; give one ${wanted}`,
  );
}
