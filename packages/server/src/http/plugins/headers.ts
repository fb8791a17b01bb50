import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { MEDIA_TYPE } from '../../jsonapi/document.ts';
import { ApiError, badRequest } from '../../jsonapi/errors.ts';
import { redactApiKeys } from '../../observability/log.ts';

/** Browsers send about 20 headers, and proxies add more. */
export const MAX_HEADERS = 200;

/**
 * If these headers are repeated, Node.js uses the first value, but a proxy may have used another value (RFC 9112,
 * section 3.2).
 */
const SINGLE = ['Host', 'Authorization'] as const;

/**
 * `uri-host [":" port]` (RFC 9110, section 7.2): a host name, an address or an empty host (RFC 3986, section 3.2.2).
 */
const HOST = /^(?:\[[\w:.%~-]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;

/**
 * Throws an ApiError: 431 for too many headers, because Node.js would silently drop some; 400 for a repeated Host or
 * Authorization header, a missing Host or an invalid Host (RFC 9112, section 3.2); 417 for an expectation other than
 * `100-continue` (RFC 9110, section 10.1.1).
 */
export function assertHeaders({ rawHeaders, headers, httpVersion }: IncomingMessage): void {
  const seen = rawHeaders.length / 2;
  if (seen > MAX_HEADERS)
    throw new ApiError({
      status: 431,
      code: 'too_many_headers',
      detail: `The request has ${seen} headers; the maximum is ${MAX_HEADERS}.`,
      meta: { limit: 'headers_max_count', max: MAX_HEADERS, seen },
    });
  if (headers.host === undefined && httpVersion !== '1.0')
    throw badRequest('missing_header', 'The request has no Host header.', { header: 'Host' });
  if (!HOST.test(headers.host ?? ''))
    throw badRequest('invalid_header', 'The header is not a host with an optional port.', {
      header: 'Host',
    });
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue')
    throw new ApiError({
      status: 417,
      code: 'expectation_failed',
      detail: 'The only supported expectation is 100-continue.',
      source: { header: 'Expect' },
    });
  const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
  for (const header of SINGLE) {
    const name = header.toLowerCase();
    if (names.indexOf(name) !== names.lastIndexOf(name))
      throw badRequest('duplicate_header', `The request has more than one ${header} header. Send only one.`, {
        header,
      });
  }
}

/**
 * Throws an ApiError (406) if the Accept header contains the JSON:API media type, but every instance of it has an
 * unsupported parameter (JSON:API 1.1, "Server Responsibilities"). `profile` is always allowed.
 */
export function assertAcceptable(accept: string | undefined): void {
  if (accept === undefined) return;
  const instances = accept
    // Ignore separators inside quoted strings.
    .replace(/"(?:[^"\\]|\\.?)*"?/g, '""')
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim().toLowerCase()))
    .filter(([type]) => type === MEDIA_TYPE);
  const isSupported = instances.some(([, ...parameters]) =>
    parameters.every((parameter) => parameter.startsWith('profile=') || parameter.startsWith('q=')),
  );
  if (instances.length === 0 || isSupported) return;
  throw new ApiError({
    status: 406,
    code: 'not_acceptable',
    detail: `Every ${MEDIA_TYPE} entry has unsupported parameters. Send ${MEDIA_TYPE} without parameters.`,
    source: { header: 'Accept' },
  });
}

/** Ids without special characters, safe in logs, headers and shells. */
export const SAFE_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** Returns the request id from the client or a proxy if it is safe and contains no API key; otherwise a new id. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && SAFE_ID.test(given) && redactApiKeys(given) === given
    ? given
    : randomUUID();
}

/** Browser features that the service's pages do not use (Permissions Policy). */
const NO_FEATURES = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'usb',
]
  .map((feature) => `${feature}=()`)
  .join(', ');

/** Pages override the Content Security Policy (Level 3). */
const SECURITY = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': NO_FEATURES,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** One year (RFC 6797). Does not include subdomains, because they may belong to other services. */
const TRANSPORT = { 'strict-transport-security': 'max-age=31536000' } as const;

/** Creates the headers of every response to the request with this id. */
export type CommonHeaders = (requestId: string) => Readonly<Record<string, string>>;

/** Returns a function that creates the common headers. Strict-Transport-Security requires a configured HTTPS URL. */
export function createCommonHeaders(configuredUrl: string | undefined): CommonHeaders {
  const isSecure = configuredUrl?.startsWith('https:') === true;
  const always = { ...SECURITY, ...(isSecure && TRANSPORT), 'cache-control': 'no-store' };
  return (requestId) => ({ 'x-request-id': requestId, ...always });
}
