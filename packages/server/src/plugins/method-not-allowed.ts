import type { FastifyInstance, HTTPMethods } from 'fastify';
import { ApiError } from '../jsonapi/errors.ts';

const METHODS = [
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
] as const satisfies readonly HTTPMethods[];

/**
 * Answers 405 with `Allow` (RFC 9110, section 15.5.6) where a path exists, but not with this method. To be
 * called before the routes are registered; the result adds what they left open.
 */
export function watchMethods(app: FastifyInstance): () => void {
  const methodsOf = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = methodsOf.get(url) ?? new Set();
    for (const name of [method].flat()) known.add(name);
    methodsOf.set(url, known);
  });
  return () => {
    for (const [url, known] of [...methodsOf]) {
      const allowed = [...known].join(', ');
      app.route({
        method: METHODS.filter((name) => !known.has(name)),
        url,
        handler: async (request) => {
          throw new ApiError({
            status: 405,
            code: 'method_not_allowed',
            title: 'Method not allowed',
            detail: `${request.method} is not possible here; ${allowed} is`,
            headers: { allow: allowed },
          });
        },
      });
    }
  };
}
