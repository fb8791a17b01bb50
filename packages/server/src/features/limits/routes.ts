import type { FastifyInstance } from 'fastify';
import type { Limits } from '../../config.ts';
import { API_PREFIX, document, type Resource } from '../../jsonapi/document.ts';
import { parseResourceQuery, type QueryString, selectFields } from '../../jsonapi/query.ts';
import { sendDocument } from '../../jsonapi/send-document.ts';
import type { ApiDependencies } from '../ingestions/routes.ts';

const LIMITS = 'limits';

/** `GET /limits`: what a client has to keep to, before it finds out by being refused. */
export function registerLimits(app: FastifyInstance, { limits, gate, publicUrl }: ApiDependencies): void {
  const url = `${API_PREFIX}/limits`;
  const attributes = limitAttributes(limits);
  app.get<{ Querystring: QueryString }>(url, { onRequest: gate({}) }, async (request, reply) => {
    const { fields } = parseResourceQuery(request.query, {
      type: LIMITS,
      attributes: Object.keys(attributes),
    });
    const resource: Resource = {
      type: LIMITS,
      id: 'limits',
      attributes: selectFields(attributes, fields),
      links: { self: `${publicUrl()}${url}` },
    };
    return await sendDocument(reply, document(resource));
  });
}

function limitAttributes(limits: Limits): Record<string, unknown> {
  return {
    upload_max_bytes: limits.uploadMaxBytes,
    inflated_max_bytes: limits.inflatedMaxBytes,
    encodings: ['identity', 'gzip', 'zstd'],
    record_max_bytes: limits.recordMaxBytes,
    record_max_depth: limits.recordMaxDepth,
    record_max_keys: limits.recordMaxKeys,
    errors_kept_per_job: limits.errorsKeptPerJob,
    default_page_size: limits.defaultPageSize,
    max_page_size: limits.maxPageSize,
    // null: no limit
    requests_per_minute: limits.requestsPerMinute || null,
    uploads_per_minute: limits.uploadsPerMinute || null,
  };
}
