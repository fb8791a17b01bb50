import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Limits } from '../config.ts';
import { API_PREFIX, API_VERSION } from '../jsonapi/document.ts';
import { parseQuery, type QueryString } from '../jsonapi/query.ts';
import { sendDocument } from '../jsonapi/send-document.ts';
import { accessOf, type createGate } from '../plugins/access.ts';
import type { Reads } from '../reads.ts';
import { clientLeft } from '../request/client-disconnected.ts';
import { assertMayInclude } from './assert-may-include.ts';
import type { Endpoint, Outcome, OutcomeDocument } from './endpoint.ts';
import { noneFound } from './resource-kind.ts';

export interface EndpointDependencies {
  readonly limits: Limits;
  readonly gate: ReturnType<typeof createGate>;
  readonly reads: Reads;
}

/** Makes a route of each endpoint: access, then the id, query and body, then the handler, then the answer by its schema. */
export function registerEndpoints(
  app: FastifyInstance,
  endpoints: readonly Endpoint[],
  { limits, gate, reads }: EndpointDependencies,
): void {
  for (const endpoint of endpoints) {
    app.route<{ Querystring: QueryString; Params: Record<string, string> }>({
      method: endpoint.method,
      url: `${API_PREFIX}${endpoint.path.replace(/\{(\w+)\}/g, ':$1')}`,
      onRequest: gate(endpoint.access),
      handler: async (request, reply) => {
        const access = accessOf(request);
        const { includes = {}, idOf, isUrgent = false } = endpoint;
        if (idOf?.isId(request.params.id ?? '') === false) throw noneFound(idOf);
        const query = parseQuery(
          request.query,
          { ...endpoint.query, includes: Object.keys(includes) },
          limits,
        );
        assertMayInclude(access, includes, query.include);
        const reader = { tenantId: access.tenantId, isUrgent, signal: clientLeft(reply.raw) };
        const outcome = await endpoint.handle({
          request,
          reply,
          access,
          params: request.params,
          query,
          read: (work) => reads.read(reader, work),
          documentSeconds: limits.documentSeconds,
        });
        return outcome === undefined ? reply : await answer(reply, endpoint, outcome);
      },
    });
  }
}

async function answer(reply: FastifyReply, endpoint: Endpoint, outcome: Outcome): Promise<FastifyReply> {
  const { status, headers = {}, document } = outcome;
  const described = endpoint.answers[status];
  if (described === undefined)
    throw new Error(`${endpoint.operationId} does not describe its answer ${status}`);
  reply.code(status).headers(headers);
  if (described.schema === undefined || document === undefined) return await reply.send();
  return await sendDocument(reply, described.schema.parse(withVersion(document)));
}

/** `meta.version` of every document (specification, "Versioning"). */
function withVersion(document: OutcomeDocument): OutcomeDocument {
  return { ...document, meta: { version: API_VERSION, ...document.meta } };
}
