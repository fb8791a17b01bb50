import type { FastifyInstance } from 'fastify';
import { API_PREFIX } from '../../jsonapi/document.ts';
import type { ApiDependencies } from '../endpoints/dependencies.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { describeApi } from './openapi.ts';

/** `GET /api/v1/openapi.json`: the OpenAPI description. Requires no API key. */
export function registerOpenApi(
  app: FastifyInstance,
  endpoints: readonly Endpoint[],
  { limits, publicUrl }: Pick<ApiDependencies, 'limits' | 'publicUrl'>,
): void {
  let description: Buffer | undefined;
  app.get(`${API_PREFIX}/openapi.json`, async (_request, reply) => {
    // The description is sent as bytes, because Fastify adds a `charset` parameter to the Content-Type of strings.
    // `application/json` has no such parameter (RFC 8259, section 11).
    description ??= Buffer.from(JSON.stringify(describeApi(endpoints, { limits, publicUrl: publicUrl() })));
    return await reply.header('content-type', 'application/json').send(description);
  });
}
