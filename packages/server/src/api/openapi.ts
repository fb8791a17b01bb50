import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiParameters,
} from 'zod-openapi';
import type { Limits } from '../config.ts';
import { API_PREFIX, API_VERSION, MEDIA_TYPE } from '../jsonapi/document.ts';
import type { Filters } from '../jsonapi/filters.ts';
import type { QueryDescription } from '../jsonapi/query.ts';
import { errorDocument } from '../jsonapi/schemas.ts';
import type { AnswerDescription, Endpoint } from './endpoint.ts';
import { TAGS } from './tags.ts';

export interface OpenApiOptions {
  readonly limits: Limits;
  /** Where the service is reached; without a slash at its end. */
  readonly publicUrl: string;
}

/** The description of the API (OpenAPI 3.1), made of the schemas by which it reads requests and writes answers. */
export function describeApi(endpoints: readonly Endpoint[], options: OpenApiOptions) {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const endpoint of endpoints) {
    const path = `${API_PREFIX}${endpoint.path}`;
    paths[path] = {
      ...paths[path],
      [endpoint.method.toLowerCase()]: operation(endpoint, options.limits),
    };
  }
  const description: ZodOpenApiObject = {
    openapi: '3.1.1',
    info: {
      title: 'Sluice',
      version: API_VERSION,
      description:
        'Takes files of security findings and says exactly what happened to every record. Answers are JSON:API 1.1.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: options.publicUrl }],
    security: [{ apiKey: [] }],
    tags: [...new Set(endpoints.map(({ tag }) => tag))].map((name) => ({ name, description: TAGS[name] })),
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'The word Api-Key, a blank, and the key: `Authorization: Api-Key <API_KEY>`',
        },
      },
    },
  };
  return createDocument(description);
}

function operation(endpoint: Endpoint, limits: Limits): ZodOpenApiOperationObject {
  const { operationId, tag, summary, description, access, body, form } = endpoint;
  const needs = access.permission === undefined ? [] : [`Needs the permission \`${access.permission}\`.`];
  const words = [description, ...needs].filter((text) => text !== undefined);
  return {
    operationId,
    tags: [tag],
    summary,
    ...(words.length > 0 && { description: words.join(' ') }),
    requestParams: {
      ...pathParameters(endpoint),
      query: z.object(queryParameters(endpoint.query, limits)),
      ...(endpoint.headers !== undefined && { header: z.object(headerParameters(endpoint)) }),
    },
    ...(body !== undefined && {
      requestBody: { required: true, content: { [MEDIA_TYPE]: { schema: body } } },
    }),
    ...(form !== undefined && {
      requestBody: {
        required: true,
        description: form.description,
        content: { 'multipart/form-data': { schema: form.schema } },
      },
    }),
    responses: responses(endpoint),
  };
}

function pathParameters({ path }: Endpoint): Pick<ZodOpenApiParameters, 'path'> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  if (names.length === 0) return {};
  return { path: z.object(Object.fromEntries(names.map((name) => [name, z.uuid()]))) };
}

function headerParameters({ headers = {} }: Endpoint): z.ZodRawShape {
  return Object.fromEntries(
    Object.entries(headers).map(([name, { description, schema }]) => [
      name,
      schema.optional().meta({ description }),
    ]),
  );
}

function queryParameters(query: QueryDescription, limits: Limits): z.ZodRawShape {
  const parameters: Record<string, z.ZodType> = {};
  for (const [name, parameter] of filterParameters(query.filters ?? {})) parameters[name] = parameter;
  for (const [type, attributes] of Object.entries(query.fields))
    parameters[`fields[${type}]`] = commaList(attributes, `Only these attributes of ${type}`);
  if (query.includes !== undefined && query.includes.length > 0)
    parameters.include = commaList(query.includes, 'Related resources to bring along');
  if (query.list !== undefined) {
    const { sorts, defaultSort, cursors = false } = query.list;
    const keys = Object.keys(sorts).flatMap((key) => [key, `-${key}`]);
    parameters.sort = commaList(keys, `Order; - is descending. Without it: ${defaultSort}`);
    const number = z.int().min(1).optional();
    parameters['page[number]'] = number.meta({ description: 'From 1 on' });
    parameters['page[size]'] = z
      .int()
      .min(1)
      .max(limits.maxPageSize)
      .optional()
      .meta({ description: `Resources on a page; without it ${limits.defaultPageSize}` });
    if (cursors) {
      parameters['page[after]'] = z.string().optional().meta({
        description:
          'Instead of page[number], to read on however far: empty for the start, then the cursor of links.next',
      });
    }
  }
  return parameters;
}

function filterParameters(filters: Filters): [string, z.ZodType][] {
  return Object.entries(filters).map(([name, { description, schema, isList }]) => [
    `filter[${name}]`,
    isList
      ? z.array(schema).optional().meta({ description, param: COMMA_LIST })
      : schema.optional().meta({ description }),
  ]);
}

/** Several values in one parameter, with commas between them. */
const COMMA_LIST = { style: 'form', explode: false } as const;

function commaList(words: readonly string[], description: string): z.ZodType {
  const [first = '', ...others] = words;
  return z
    .array(z.enum([first, ...others]))
    .optional()
    .meta({ description, param: COMMA_LIST });
}

function responses(endpoint: Endpoint): ZodOpenApiOperationObject['responses'] {
  const errors = [400, 401, 406, 429, ...(endpoint.errors ?? []), ...implied(endpoint)];
  const described = Object.entries(endpoint.answers).map(([status, answer]) => [status, response(answer)]);
  const failures = [...new Set(errors)].sort().map((status) => [
    String(status),
    {
      description: ERRORS[status] ?? 'An error',
      content: { [MEDIA_TYPE]: { schema: errorDocument } },
      ...(status === 429 && { headers: { 'Retry-After': header('Seconds until the key may ask again') } }),
    },
  ]);
  return Object.fromEntries([...described, ...failures]);
}

function implied({ access, path, body }: Endpoint): number[] {
  return [
    ...(access.permission === undefined ? [] : [403]),
    ...(access.subscription === true ? [402] : []),
    ...(path.includes('{') ? [404] : []),
    ...(body === undefined ? [] : [409, 413, 415]),
  ];
}

const ERRORS: Readonly<Record<number, string>> = {
  400: 'The request is wrong; the error names the parameter, the header or the place in the document',
  401: 'The key is missing, malformed, unknown, revoked, expired, or narrowed so that it lacks the permission',
  402: 'The tenant has no active subscription',
  403: 'The user of the key lacks the permission',
  404: "There is no such resource, or it is another tenant's",
  406: 'No media type that is asked for can be answered',
  409: 'It contradicts what is there',
  413: 'It is over a limit',
  415: 'The media type of the body is not taken',
  429: 'The key has sent too many requests',
};

function response({ description, schema, mediaType, headers = {} }: AnswerDescription) {
  const body = mediaType === undefined ? schema : z.string().meta({ format: 'binary' });
  return {
    description,
    ...(body !== undefined && { content: { [mediaType ?? MEDIA_TYPE]: { schema: body } } }),
    ...(Object.keys(headers).length > 0 && {
      headers: Object.fromEntries(Object.entries(headers).map(([name, words]) => [name, header(words)])),
    }),
  };
}

function header(description: string) {
  return { description, schema: { type: 'string' } } as const;
}
