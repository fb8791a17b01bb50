import type { FastifyInstance } from 'fastify';
import { ApiError } from '../jsonapi/errors.ts';

/**
 * Answers 405 with `Allow` (RFC 9110, section 15.5.6) where a path of the routes registered from now on exists, but not with
 * the method of the request, whatever that is.
 */
export function watchMethods(app: FastifyInstance): void {
  const byPattern = new Map<string, { readonly path: RegExp; readonly methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = byPattern.get(url) ?? { path: pathOf(url), methods: new Set() };
    for (const name of [method].flat()) known.methods.add(name);
    byPattern.set(url, known);
  });
  app.addHook('onRequest', async (request) => {
    if (!request.is404) return;
    const path = request.url.split('?')[0] ?? '';
    const found = [...byPattern.values()].filter((known) => known.path.test(path));
    if (found.length === 0) return;
    const allowed = [...new Set(found.flatMap(({ methods }) => [...methods]))].join(', ');
    throw new ApiError({
      status: 405,
      code: 'method_not_allowed',
      detail: `${request.method} is not possible here; ${allowed} is`,
      headers: { allow: allowed },
    });
  });
}

/** A route's pattern, `/a/:id`, as an expression; a slash at the end changes nothing. */
function pathOf(url: string): RegExp {
  const pattern = url
    .replace(/\/$/, '')
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace(/:\w+/g, '[^/]+');
  return new RegExp(`^${pattern}/?$`);
}
