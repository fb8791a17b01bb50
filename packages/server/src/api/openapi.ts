import { createDocument, type ZodOpenApiObject, type ZodOpenApiOperationObject } from 'zod-openapi';
import type { Limits } from '../config.ts';
import { API_PREFIX, API_VERSION } from '../jsonapi/document.ts';
import type { Endpoint } from './endpoint.ts';
import { describeOperation } from './openapi-operation.ts';
import { HEADERS } from './openapi-responses.ts';
import { tidySchemas } from './openapi-tidy.ts';
import { TAGS } from './tags.ts';

export interface OpenApiOptions {
  readonly limits: Limits;
  /** Where the service is reached; without a slash at its end. */
  readonly publicUrl: string;
}

const DESCRIPTION = `Takes files of security findings and says exactly what happened to every record.

**Documents** are [JSON:API 1.1](https://jsonapi.org/format/1.1/), \`application/vnd.api+json\`. Every one has \`meta.version\`. Times are UTC with microseconds: \`2026-01-31T23:59:59.123456Z\`.

**Keys** go into the header \`Authorization: Api-Key <API_KEY>\`.

**Lists** come in pages: \`page[number]\` and \`page[size]\`, or follow \`links.next\`. \`sort\` takes several keys with commas between them, \`-\` makes one descending. \`filter[name__in]\` takes several values with commas between them, \`filter[name__gte]\` and \`filter[name__lte]\` take bounds that belong to the range; a date means that day in UTC. All filters have to fit. \`fields[type]\` leaves attributes out; \`include\` brings related resources along.

**Requests** have an id, \`X-Request-Id\` in every answer. One that the request brings along in this header is taken where it is 1 to 128 characters of \`A-Z a-z 0-9 . _ -\`; otherwise there is a new one. A W3C \`traceparent\` is continued.

**Errors** name in \`source\` the parameter, the header or the place in the document that is wrong. \`code\` is stable and for programs, \`detail\` for people; \`id\` is the request's, as in the header \`X-Request-Id\` and in the service's log. A parameter, a filter, a field or an attribute that is not described is an error, too.`;

/** The description of the API (OpenAPI 3.1), made of the schemas by which it reads requests and writes answers. */
export function describeApi(endpoints: readonly Endpoint[], { limits, publicUrl }: OpenApiOptions) {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const endpoint of endpoints) {
    const path = `${API_PREFIX}${endpoint.path}`;
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: describeOperation(endpoint, limits) };
  }
  const description: ZodOpenApiObject = {
    openapi: '3.1.1',
    info: {
      title: 'Sluice',
      version: API_VERSION,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl }],
    security: [{ apiKey: [] }],
    tags: [...new Set(endpoints.map(({ tag }) => tag))].map((name) => ({ name, description: TAGS[name] })),
    paths,
    components: {
      headers: HEADERS,
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'The word `Api-Key`, a blank, and the key: `Api-Key <API_KEY>`',
        },
      },
    },
  };
  const document = createDocument(description);
  tidySchemas(document);
  return document;
}
