import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Limits } from '../../config/config.ts';
import type { Reads } from '../../db/read-slots.ts';
import { API_PREFIX, API_VERSION, sendDocument } from '../../jsonapi/document.ts';
import { parseQuery, type QueryString } from '../../jsonapi/query.ts';
import { disconnectSignal } from '../../lib/client-disconnected.ts';
import { accessOf, type createAccessControl } from '../plugins/access.ts';
import { assertDescribed } from './assert-described.ts';
import type { Endpoint, EndpointResponse, ResponseDocument } from './endpoint.ts';
import { assertMayInclude } from './includes.ts';
import { resourceNotFound } from './resource-type.ts';

export interface EndpointDependencies {
  readonly limits: Limits;
  readonly accessControl: ReturnType<typeof createAccessControl>;
  readonly reads: Reads;
  /** Whether a response that does not match its description is replaced by an internal error. */
  readonly validatesResponses: boolean;
}

/**
 * Registers a route for each endpoint. Each route checks access, then validates the id and the query, and then calls
 * the handler.
 */
export function registerEndpoints(
  app: FastifyInstance,
  endpoints: readonly Endpoint[],
  { limits, accessControl, reads, validatesResponses }: EndpointDependencies,
): void {
  for (const endpoint of endpoints) {
    app.route<{ Querystring: QueryString; Params: Record<string, string> }>({
      method: endpoint.method,
      url: `${API_PREFIX}${endpoint.path.replace(/\{(\w+)\}/g, ':$1')}`,
      onRequest: accessControl(endpoint.access),
      handler: async (request, reply) => {
        const access = accessOf(request);
        const { includes = {}, resourceType, isUrgent = false } = endpoint;
        if (resourceType?.isId(request.params.id ?? '') === false) throw resourceNotFound(resourceType);
        const query = parseQuery(
          request.query,
          { ...endpoint.query, includes: Object.keys(includes) },
          limits,
        );
        assertMayInclude(access, includes, query.include);
        const reader = { tenantId: access.tenantId, isUrgent, signal: disconnectSignal(reply.raw) };
        const response = await endpoint.handle({
          request,
          reply,
          access,
          params: request.params,
          query,
          read: (work) => reads.read(reader, work),
          documentSeconds: limits.documentSeconds,
        });
        if (response === undefined) return reply;
        const document = response.document && withVersion(response.document);
        if (validatesResponses) assertDescribed(endpoint, response.status, document);
        return await sendResponse(reply, response, document);
      },
    });
  }
}

async function sendResponse(
  reply: FastifyReply,
  { status, headers = {} }: EndpointResponse,
  document: object | undefined,
): Promise<FastifyReply> {
  reply.code(status).headers(headers);
  return await (document === undefined ? reply.send() : sendDocument(reply, document));
}

/** Adds `meta.version`, which every document must have (docs/specification.md, "Versioning"). */
function withVersion(document: ResponseDocument): ResponseDocument {
  return { ...document, meta: { version: API_VERSION, ...document.meta } };
}
