import { z } from 'zod';
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { MEDIA_TYPE } from '../../jsonapi/document.ts';
import { errorDocument } from '../../jsonapi/errors.ts';
import type { Endpoint, ResponseDescription } from '../endpoints/endpoint.ts';
import { SAFE_ID } from '../plugins/headers.ts';
import { ERRORS, errorExample } from './openapi-errors.ts';

/** Common response headers, for the components section of the OpenAPI description. */
export const HEADERS = {
  RequestId: {
    description: 'ID of the request. It also appears in the service log.',
    required: true,
    schema: { type: 'string', pattern: SAFE_ID.source },
  },
  RateLimit: {
    description:
      'Remaining quota of each rate limit that applies to the API key, and the number of seconds until the quota resets, for example `"requests_per_minute";r=599;t=42` (draft-ietf-httpapi-ratelimit-headers-10). Absent if no rate limit applies or the key was rejected.',
    schema: { type: 'string' },
  },
  RateLimitPolicy: {
    description:
      'Quota of each rate limit that applies to the API key, and its window in seconds, for example `"requests_per_minute";q=600;w=60`.',
    schema: { type: 'string' },
  },
} as const;

const COMMON = {
  'X-Request-Id': { $ref: '#/components/headers/RequestId' },
  RateLimit: { $ref: '#/components/headers/RateLimit' },
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
} as const;

/**
 * The response for each error status. Shared by all operations, so that the description contains each response only
 * once.
 */
const ERROR_RESPONSES: ReadonlyMap<number, ZodOpenApiResponseObject> = new Map(
  ERRORS.map((error) => [
    error.status,
    {
      id: error.name,
      description: error.description,
      headers: {
        ...COMMON,
        ...Object.fromEntries(
          Object.entries(error.headers ?? {}).map(([name, text]) => [
            name,
            { ...header(text), required: true },
          ]),
        ),
      },
      content: { [MEDIA_TYPE]: { schema: errorDocument, example: errorExample(error) } },
    },
  ]),
);

/** Describes an endpoint's responses, including possible errors. */
export function describeResponses(endpoint: Endpoint): ZodOpenApiResponsesObject {
  const errors = [400, 401, 406, 429, 500, 503, ...(endpoint.errors ?? []), ...impliedErrors(endpoint)];
  const own = Object.entries(endpoint.responses).map(([status, described]) => [
    status,
    responseObject(described),
  ]);
  const errorResponses = [...new Set(errors)].sort().map((status) => {
    const errorResponse = ERROR_RESPONSES.get(status);
    if (errorResponse === undefined)
      throw new Error(`${endpoint.operationId} has the error status ${status}, which is not described`);
    return [String(status), errorResponse];
  });
  return Object.fromEntries([...own, ...errorResponses]);
}

function impliedErrors({ access, includes = {}, path, body }: Endpoint): number[] {
  const rules = [access, ...Object.values(includes).map((include) => include.access)];
  return [
    ...(rules.some(({ permissions }) => permissions.length > 0) ? [403] : []),
    ...(access.subscription === true ? [402] : []),
    ...(path.includes('{') ? [404] : []),
    ...(body === undefined ? [] : [408, 409, 413, 415, 507]),
  ];
}

function responseObject({
  description,
  schema,
  mediaTypes = [],
  headers = {},
}: ResponseDescription): ZodOpenApiResponseObject {
  // OpenAPI 3.1.1, "Considerations for File Uploads": binary content has no schema.
  const body = mediaTypes.length === 0 ? schema : z.unknown().meta({ description });
  const types = mediaTypes.length === 0 ? [MEDIA_TYPE] : mediaTypes;
  const own = Object.entries(headers).map(([name, text]) => [name, header(text)]);
  return {
    description,
    headers: { ...COMMON, ...Object.fromEntries(own) },
    ...(body !== undefined && {
      content: Object.fromEntries(types.map((type) => [type, { schema: body }])),
    }),
  };
}

function header(description: string) {
  return { description, schema: { type: 'string' } } as const;
}
