import { z } from 'zod';
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { MEDIA_TYPE } from '../jsonapi/document.ts';
import { errorDocument } from '../jsonapi/error-schema.ts';
import { SAFE_ID } from '../operations/request-id.ts';
import type { Endpoint, ResponseDescription } from './endpoint.ts';
import { ERRORS, errorExample } from './openapi-errors.ts';

/** The responses of an endpoint: its own, and the errors that it can have. */
export function describeResponses(endpoint: Endpoint): ZodOpenApiResponsesObject {
  const errors = [400, 401, 406, 429, 500, 503, ...(endpoint.errors ?? []), ...implied(endpoint)];
  const described = Object.entries(endpoint.responses).map(([status, answer]) => [status, response(answer)]);
  const failures = [...new Set(errors)].sort().map((status) => {
    const failure = FAILURES.get(status);
    if (failure === undefined)
      throw new Error(`${endpoint.operationId} has the error ${status}, which nothing describes`);
    return [String(status), failure];
  });
  return Object.fromEntries([...described, ...failures]);
}

function implied({ access, includes = {}, path, body }: Endpoint): number[] {
  const rules = [access, ...Object.values(includes).map((include) => include.access)];
  return [
    ...(rules.some(({ permissions }) => permissions.length > 0) ? [403] : []),
    ...(access.subscription === true ? [402] : []),
    ...(path.includes('{') ? [404] : []),
    ...(body === undefined ? [] : [408, 409, 413, 415, 507]),
  ];
}

/** Headers that many answers have, for the components of the description. */
export const HEADERS = {
  RequestId: {
    description: 'The id of the request, as in the log of the service',
    required: true,
    schema: { type: 'string', pattern: SAFE_ID.source },
  },
  RateLimit: {
    description:
      'What is left of each limit of the key, and in how many seconds it is whole again: `"requests_per_minute";r=599;t=42` (draft-ietf-httpapi-ratelimit-headers-10). Not there where there is no limit, or the key was not accepted',
    schema: { type: 'string' },
  },
  RateLimitPolicy: {
    description: 'Each limit of the key, and its window in seconds: `"requests_per_minute";q=600;w=60`',
    schema: { type: 'string' },
  },
} as const;

const COMMON = {
  'X-Request-Id': { $ref: '#/components/headers/RequestId' },
  RateLimit: { $ref: '#/components/headers/RateLimit' },
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
} as const;

/** The answer to each error: the same for all operations, so that it stands in the description once. */
const FAILURES: ReadonlyMap<number, ZodOpenApiResponseObject> = new Map(
  ERRORS.map((error) => [
    error.status,
    {
      id: error.name,
      description: error.description,
      headers: {
        ...COMMON,
        ...Object.fromEntries(
          Object.entries(error.headers ?? {}).map(([name, words]) => [
            name,
            { ...header(words), required: true },
          ]),
        ),
      },
      content: { [MEDIA_TYPE]: { schema: errorDocument, example: errorExample(error) } },
    },
  ]),
);

function response({
  description,
  schema,
  mediaType,
  headers = {},
}: ResponseDescription): ZodOpenApiResponseObject {
  // OpenAPI 3.1.1, "Considerations for File Uploads": a file as it is has no schema.
  const body = mediaType === undefined ? schema : z.unknown().meta({ description });
  const own = Object.entries(headers).map(([name, words]) => [name, header(words)]);
  return {
    description,
    headers: { ...COMMON, ...Object.fromEntries(own) },
    ...(body !== undefined && { content: { [mediaType ?? MEDIA_TYPE]: { schema: body } } }),
  };
}

function header(description: string) {
  return { description, schema: { type: 'string' } } as const;
}
