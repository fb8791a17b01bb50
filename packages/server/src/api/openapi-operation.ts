import { z } from 'zod';
import type {
  ZodOpenApiOperationObject,
  ZodOpenApiParameters,
  ZodOpenApiRequestBodyObject,
} from 'zod-openapi';
import type { Limits } from '../config.ts';
import { MEDIA_TYPE } from '../jsonapi/document.ts';
import type { Filters } from '../jsonapi/filters.ts';
import type { Endpoint } from './endpoint.ts';
import { describeResponses } from './openapi-responses.ts';

/** Types whose ids are texts; those of all others are UUIDs. */
const TEXT_IDS: ReadonlySet<string> = new Set(['checks']);

/** An endpoint as an operation of OpenAPI 3.1. */
export function describeOperation(endpoint: Endpoint, limits: Limits): ZodOpenApiOperationObject {
  const { operationId, tag, summary, description, access } = endpoint;
  const needs = access.permission === undefined ? [] : [`Needs the permission \`${access.permission}\`.`];
  const words = [description, ...needs, ...includeNeeds(endpoint)].filter((text) => text !== undefined);
  return {
    operationId,
    tags: [tag],
    summary,
    ...(words.length > 0 && { description: words.map(sentence).join(' ') }),
    requestParams: {
      ...pathParameters(endpoint),
      query: z.object(queryParameters(endpoint, limits)),
      ...(endpoint.headers !== undefined && { header: z.object(headerParameters(endpoint)) }),
    },
    ...requestBody(endpoint),
    responses: describeResponses(endpoint),
  };
}

function includeNeeds({ access, includes = {} }: Endpoint): string[] {
  return Object.entries(includes).flatMap(
    ([
      name,
      {
        access: { permission },
      },
    ]) =>
      permission === undefined || permission === access.permission
        ? []
        : [`\`include=${name}\` needs the permission \`${permission}\`.`],
  );
}

function sentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}

function requestBody({ body, form }: Endpoint): { requestBody?: ZodOpenApiRequestBodyObject } {
  if (body !== undefined)
    return { requestBody: { required: true, content: { [MEDIA_TYPE]: { schema: body } } } };
  if (form === undefined) return {};
  const { description, schema } = form;
  return { requestBody: { required: true, description, content: { 'multipart/form-data': { schema } } } };
}

function pathParameters({ path, params = {} }: Endpoint): Pick<ZodOpenApiParameters, 'path'> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  if (names.length === 0) return {};
  const type = path.split('/')[1] ?? '';
  const id = (TEXT_IDS.has(type) ? z.string() : z.uuid()).meta({ description: `Of one of the ${type}` });
  return { path: z.object(Object.fromEntries(names.map((name) => [name, params[name] ?? id]))) };
}

function headerParameters({ headers = {} }: Endpoint): z.ZodRawShape {
  return Object.fromEntries(
    Object.entries(headers).map(([name, { description, schema }]) => [
      name,
      schema.optional().meta({ description }),
    ]),
  );
}

function queryParameters({ query, includes = {} }: Endpoint, limits: Limits): z.ZodRawShape {
  const parameters: Record<string, z.ZodType> = {};
  for (const [name, parameter] of filterParameters(query.filters ?? {})) parameters[name] = parameter;
  for (const [type, attributes] of Object.entries(query.fields))
    parameters[`fields[${type}]`] = commaList(attributes, `Only these attributes of ${type}`);
  const included = Object.keys(includes);
  if (included.length > 0) parameters.include = commaList(included, 'Related resources to bring along');
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
