import type { IncomingMessage } from 'node:http';
import { ApiError, badRequest } from '../jsonapi/errors.ts';

/** Proxies add some to the twenty of a browser. */
export const MAX_HEADERS = 200;
/** Node uses the first of these and drops the others; a proxy may have used another (RFC 9112, section 3.2). */
const SINGLE = ['Host', 'Authorization'] as const;
/** `uri-host [":" port]` (RFC 9110, section 7.2): the characters of a host name, an address or an empty host (RFC 3986, 3.2.2). */
const HOST = /^(?:\[[\w:.%~-]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;

/**
 * Node silently drops headers beyond its own limit. Throws an ApiError: 431 for too many headers; 400 for a repeated Host or
 * Authorization header, a missing Host and a Host that is not a host (RFC 9112, section 3.2); 417 for an expectation other than
 * `100-continue` (RFC 9110, section 10.1.1).
 */
export function assertHeaders({ rawHeaders, headers, httpVersion }: IncomingMessage): void {
  const seen = rawHeaders.length / 2;
  if (seen > MAX_HEADERS)
    throw new ApiError({
      status: 431,
      code: 'too_many_headers',
      detail: `A request may have ${MAX_HEADERS} headers; this one has ${seen}`,
      meta: { limit: 'headers_max_count', max: MAX_HEADERS, seen },
    });
  const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
  if (headers.host === undefined && httpVersion !== '1.0')
    throw badRequest('missing_header', 'The request has no Host header', { header: 'Host' });
  if (!HOST.test(headers.host ?? ''))
    throw badRequest('invalid_header', 'The Host header is not a host with an optional port', {
      header: 'Host',
    });
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue')
    throw new ApiError({
      status: 417,
      code: 'expectation_failed',
      detail: 'The only expectation that can be met is 100-continue',
      source: { header: 'Expect' },
    });
  for (const header of SINGLE) {
    const name = header.toLowerCase();
    if (names.indexOf(name) !== names.lastIndexOf(name))
      throw badRequest('duplicate_header', `The request has several ${header} headers; send one`, { header });
  }
}
