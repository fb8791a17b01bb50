import type { ApiDependencies } from '../../http/endpoints/dependencies.ts';
import type { Endpoint } from '../../http/endpoints/endpoint.ts';
import { API_PREFIX } from '../../jsonapi/document.ts';
import { selectFields } from '../../jsonapi/query.ts';
import { documentOf } from '../../jsonapi/schemas.ts';
import { LIMITS, limitAttributes, limitsResource } from './resource.ts';

/** `GET /limits`: the limits that clients must observe. */
export function limitEndpoints({ limits, retention, publicUrl }: ApiDependencies): readonly Endpoint[] {
  return [
    {
      method: 'GET',
      path: '/limits',
      operationId: 'getLimits',
      tag: 'Limits',
      summary: 'Get the limits',
      description: 'Returns the size, rate and time limits that apply to requests.',
      access: { permissions: [] },
      query: { fields: { [LIMITS]: limitsResource.attributes } },
      responses: { 200: { description: 'The limits.', schema: documentOf(limitsResource) } },
      handle: async ({ query }) => ({
        status: 200,
        document: {
          data: {
            type: LIMITS,
            id: LIMITS,
            attributes: selectFields(limitAttributes(limits, retention), query.fields.get(LIMITS)),
            links: { self: `${publicUrl()}${API_PREFIX}/limits` },
          },
        },
      }),
    },
  ];
}
