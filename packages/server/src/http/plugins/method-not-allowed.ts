import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../jsonapi/errors.ts';

/**
 * Responds with 405 and `Allow` (RFC 9110, section 15.5.6) if the requested path exists, but not with this method.
 * Considers only routes that are registered after this call.
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
      detail: `The method ${request.method} is not allowed for this path. Allowed: ${allowed}.`,
      headers: { allow: allowed },
    });
  });
}

/** Converts a route pattern, such as `/a/:id`, to a regular expression. A trailing slash is optional. */
function pathOf(url: string): RegExp {
  const pattern = url
    .replace(/\/$/, '')
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace(/:\w+/g, '[^/]+');
  return new RegExp(`^${pattern}/?$`);
}
