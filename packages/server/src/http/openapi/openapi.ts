import type { FastifyInstance } from 'fastify';
import { createDocument, type ZodOpenApiObject, type ZodOpenApiOperationObject } from 'zod-openapi';
import type { Limits } from '../../config/config.ts';
import { API_PREFIX, API_VERSION } from '../../jsonapi/document.ts';
import type { ApiDependencies } from '../endpoints/dependencies.ts';
import { type Endpoint, TAGS } from '../endpoints/endpoint.ts';
import { describeOperation } from './openapi-operation.ts';
import { HEADERS } from './openapi-responses.ts';
import { describeWebhooks } from './openapi-webhooks.ts';

const DESCRIPTION = `Sluice ingests security findings and accounts for every record.

**Format.** Requests and responses are [JSON:API 1.1](https://jsonapi.org/format/1.1/) documents with the media type \`application/vnd.api+json\`. Every response document includes \`meta.version\`. Timestamps are in UTC with microseconds, for example \`2026-01-31T23:59:59.123456Z\`.

**Authentication.** Send an API key in the header \`Authorization: Api-Key <API_KEY>\`.

**Pagination.** Select a page with \`page[number]\` and \`page[size]\`, or follow \`links.next\`.

**Sorting.** \`sort\` takes one or more keys, separated by commas. Prefix a key with \`-\` for descending order.

**Filtering.** \`filter[name]\` matches one value. \`filter[name__in]\` matches any of several values, separated by commas. \`filter[name__gte]\` and \`filter[name__lte]\` are inclusive bounds. A date covers the whole day in UTC. Filters are combined with AND.

**Sparse fieldsets and related resources.** \`fields[type]\` selects the attributes in the response. \`include\` adds related resources.

**Request IDs.** Every response has the header \`X-Request-Id\`. The service uses the ID from the request if it consists of 1 to 128 characters from \`A-Z a-z 0-9 . _ -\`, and generates one otherwise. It also continues a trace from the W3C header \`traceparent\`.

**Errors.** \`code\` is stable and meant for programs; \`title\` and \`detail\` are meant for people. \`source\` identifies the query parameter, the header or the location in the document that caused the error. \`id\` is the request ID, which also appears in the service log. Unknown query parameters, filters, fields and attributes are errors.`;

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

interface OpenApiOptions {
  readonly limits: Limits;
  /** Base URL of the service, without a trailing slash. */
  readonly publicUrl: string;
}

/**
 * The OpenAPI 3.1 description of the API, generated from the schemas that validate requests and, outside of production,
 * responses.
 */
function describeApi(endpoints: readonly Endpoint[], { limits, publicUrl }: OpenApiOptions) {
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
    webhooks: describeWebhooks(),
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

type Members = Record<string, unknown>;

/** Formats that make the accompanying pattern redundant. */
const FORMATS: ReadonlySet<unknown> = new Set(['uuid', 'date', 'date-time', 'uri']);

/**
 * Simplifies the generated schemas of a description in place: removes redundant patterns, JavaScript integer bounds,
 * single-member unions and repeated descriptions. Also lists the properties of records with known keys.
 */
function tidySchemas(part: unknown): void {
  if (Array.isArray(part)) part.forEach(tidySchemas);
  if (!isObject(part)) return;
  Object.values(part).forEach(tidySchemas);
  if (FORMATS.has(part.format) && typeof part.pattern === 'string') delete part.pattern;
  // Keep the pattern instead of the format `email`, because validators interpret the format differently.
  if (part.format === 'email' && typeof part.pattern === 'string') delete part.format;
  if (part.maximum === Number.MAX_SAFE_INTEGER) delete part.maximum;
  if (part.minimum === Number.MIN_SAFE_INTEGER) delete part.minimum;
  tidyUnion(part);
  tidyRecord(part);
  tidyParameter(part);
}

function tidyUnion(schema: Members): void {
  if (!Array.isArray(schema.anyOf) || schema.anyOf.length !== 1) return;
  const [only] = schema.anyOf;
  delete schema.anyOf;
  Object.assign(schema, only);
}

/** `required` indicates that every key is present. */
function tidyRecord(schema: Members): void {
  const { propertyNames, additionalProperties, required } = schema;
  if (!isObject(propertyNames) || !Array.isArray(propertyNames.enum) || required === undefined) return;
  schema.properties = Object.fromEntries(propertyNames.enum.map((key) => [key, additionalProperties]));
  schema.additionalProperties = false;
  delete schema.propertyNames;
}

/** Removes the description of a schema if it repeats the description of its parameter. */
function tidyParameter({ in: location, description, schema }: Members): void {
  if (typeof location === 'string' && isObject(schema) && schema.description === description)
    delete schema.description;
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
