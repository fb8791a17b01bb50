import { z } from 'zod';
import type {
  ZodOpenApiOperationObject,
  ZodOpenApiParameters,
  ZodOpenApiRequestBodyObject,
} from 'zod-openapi';
import type { Limits } from '../config.ts';
import { MEDIA_TYPE } from '../jsonapi/document.ts';
import type { Filters } from '../jsonapi/filters.ts';
import { MAX_PAGE_NUMBER } from '../jsonapi/page.ts';
import type { Endpoint } from './endpoint.ts';
import { describeResponses } from './openapi-responses.ts';

/** Types whose ids are texts; those of all others are UUIDs. */
const TEXT_IDS: ReadonlySet<string> = new Set(['checks']);

/** An endpoint as an operation of OpenAPI 3.1. */
export function describeOperation(endpoint: Endpoint, limits: Limits): ZodOpenApiOperationObject {
  const { operationId, tag, summary, description, access } = endpoint;
  const needs = access.permissions.length === 0 ? [] : [`Needs ${permissionsInWords(access.permissions)}.`];
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
  return Object.entries(includes).flatMap(([name, included]) => {
    const more = included.access.permissions.filter((permission) => !access.permissions.includes(permission));
    return more.length === 0 ? [] : [`\`include=${name}\` needs ${permissionsInWords(more)}.`];
  });
}

function permissionsInWords(permissions: readonly string[]): string {
  const names = permissions.map((permission) => `\`${permission}\``);
  return `the ${names.length === 1 ? 'permission' : 'permissions'} ${names.join(' and ')}`;
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
    parameters[`fields[${type}]`] = nameList(attributes, `Only these attributes of ${type}`);
  const included = Object.keys(includes);
  if (included.length > 0) parameters.include = nameList(included, 'Related resources to bring along');
  if (query.list !== undefined) {
    const { sorts, defaultSort, cursors = false } = query.list;
    const keys = Object.keys(sorts).flatMap((key) => [key, `-${key}`]);
    parameters.sort = commaList(keys, `Order; - is descending. Without it: ${defaultSort}`);
    const number = z.int().min(1).max(MAX_PAGE_NUMBER).optional();
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
          'To read on however far: empty for the start, then the cursor of links.next. page[number] does not count then',
      });
    }
  }
  return parameters;
}

function filterParameters(filters: Filters): [string, z.ZodType][] {
  return Object.entries(filters).map(([name, { description, schema, isList }]) => [
    `filter[${name}]`,
    isList
      ? z.array(entryOf(schema)).min(1).optional().meta({ description, param: COMMA_LIST })
      : textOf(schema).optional().meta({ description }),
  ]);
}

/** Several values in one parameter, with commas between them. */
const COMMA_LIST = { style: 'form', explode: false } as const;

/** No text in PostgreSQL contains U+0000. */
function textOf(schema: z.ZodType): z.ZodType {
  const isText = schema instanceof z.ZodPipe || (schema instanceof z.ZodString && schema.format === null);
  return isText ? z.string().meta({ pattern: '^[^\\x00]*$' }) : schema;
}

/** A value that can stand between commas: a text neither contains one nor is blank. */
function entryOf(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodEnum || schema instanceof z.ZodUUID) return schema;
  return z.string().meta({ pattern: '^[^,\\x00]*[^,\\s\\x00][^,\\x00]*$' });
}

/** Names of which none need be there: an empty one names nothing (JSON:API 1.1, "Sparse Fieldsets"). */
function nameList(names: readonly string[], description: string): z.ZodType {
  return commaList(['', ...names], description, 0);
}

function commaList(words: readonly string[], description: string, least = 1): z.ZodType {
  const [first = '', ...others] = words;
  return z
    .array(z.enum([first, ...others]))
    .min(least)
    .optional()
    .meta({ description, param: COMMA_LIST });
}
