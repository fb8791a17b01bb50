import type { ApiDependencies } from '../../api/dependencies.ts';
import type { Endpoint } from '../../api/endpoint.ts';
import { API_PREFIX } from '../../jsonapi/document.ts';
import { selectFields } from '../../jsonapi/query.ts';
import { documentOf } from '../../jsonapi/schemas.ts';
import { LIMITS, limitAttributes, limitsResource } from './resource.ts';

/** `GET /limits`: what a client has to keep to, before it finds out by being refused. */
export function limitEndpoints({ limits, housekeeping, publicUrl }: ApiDependencies): readonly Endpoint[] {
  return [
    {
      method: 'GET',
      path: '/limits',
      operationId: 'getLimits',
      tag: 'Limits',
      summary: 'Get every limit in force',
      access: { permissions: [] },
      query: { fields: { [LIMITS]: limitsResource.attributes } },
      responses: { 200: { description: 'The limits', schema: documentOf(limitsResource) } },
      handle: async ({ query }) => ({
        status: 200,
        document: {
          data: {
            type: LIMITS,
            id: LIMITS,
            attributes: selectFields(limitAttributes(limits, housekeeping), query.fields.get(LIMITS)),
            links: { self: `${publicUrl()}${API_PREFIX}/limits` },
          },
        },
      }),
    },
  ];
}
