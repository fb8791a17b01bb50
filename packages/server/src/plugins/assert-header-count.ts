import type { IncomingMessage } from 'node:http';
import { ApiError } from '../jsonapi/errors.ts';

/** Proxies add some to the twenty of a browser. */
export const MAX_HEADERS = 200;

/** Node would leave out what comes after its own limit of headers, and say nothing. Throws an ApiError (431). */
export function assertHeaderCount({ rawHeaders }: IncomingMessage): void {
  const seen = rawHeaders.length / 2;
  if (seen <= MAX_HEADERS) return;
  throw new ApiError({
    status: 431,
    code: 'too_many_headers',
    title: 'Too many headers',
    detail: `A request may have ${MAX_HEADERS} headers; this one has ${seen}`,
    meta: { limit: 'headers_max_count', max: MAX_HEADERS, seen },
  });
}
