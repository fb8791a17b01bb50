import { createDocument, type ZodOpenApiObject, type ZodOpenApiOperationObject } from 'zod-openapi';
import type { Limits } from '../../config/config.ts';
import { API_PREFIX, API_VERSION } from '../../jsonapi/document.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { describeOperation } from './openapi-operation.ts';
import { HEADERS } from './openapi-responses.ts';
import { tidySchemas } from './openapi-tidy.ts';
import { TAGS } from './tags.ts';

export interface OpenApiOptions {
  readonly limits: Limits;
  /** Base URL of the service, without a trailing slash. */
  readonly publicUrl: string;
}

const DESCRIPTION = `Sluice ingests security findings and accounts for every record.

**Format.** Requests and responses are [JSON:API 1.1](https://jsonapi.org/format/1.1/) documents with the media type \`application/vnd.api+json\`. Every response document includes \`meta.version\`. Timestamps are in UTC with microseconds, for example \`2026-01-31T23:59:59.123456Z\`.

**Authentication.** Send an API key in the header \`Authorization: Api-Key <API_KEY>\`.

**Pagination.** Select a page with \`page[number]\` and \`page[size]\`, or follow \`links.next\`.

**Sorting.** \`sort\` takes one or more keys, separated by commas. Prefix a key with \`-\` for descending order.

**Filtering.** \`filter[name]\` matches one value. \`filter[name__in]\` matches any of several values, separated by commas. \`filter[name__gte]\` and \`filter[name__lte]\` are inclusive bounds. A date covers the whole day in UTC. Filters are combined with AND.

**Sparse fieldsets and related resources.** \`fields[type]\` selects the attributes in the response. \`include\` adds related resources.

**Request IDs.** Every response has the header \`X-Request-Id\`. The service uses the ID from the request if it consists of 1 to 128 characters from \`A-Z a-z 0-9 . _ -\`, and generates one otherwise. It also continues a trace from the W3C header \`traceparent\`.

**Errors.** \`code\` is stable and meant for programs; \`title\` and \`detail\` are meant for people. \`source\` identifies the query parameter, the header or the location in the document that caused the error. \`id\` is the request ID, which also appears in the service log. Unknown query parameters, filters, fields and attributes are errors.`;

/** The OpenAPI 3.1 description of the API, generated from the schemas that validate requests and serialize responses. */
export function describeApi(endpoints: readonly Endpoint[], { limits, publicUrl }: OpenApiOptions) {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const endpoint of endpoints) {
    const path = `${API_PREFIX}${endpoint.path}`;
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: describeOperation(endpoint, limits) };
  }
  const description: ZodOpenApiObject = {
    openapi: '3.1.1',
    info: {
      title: 'Sluice API',
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
          description: 'An API key in the form `Api-Key <API_KEY>`.',
        },
      },
    },
  };
  const document = createDocument(description);
  tidySchemas(document);
  return document;
}
