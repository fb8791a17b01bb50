import { z } from 'zod';
import type {
  ZodOpenApiOperationObject,
  ZodOpenApiParameters,
  ZodOpenApiRequestBodyObject,
} from 'zod-openapi';
import type { Limits } from '../../config/config.ts';
import { MEDIA_TYPE } from '../../jsonapi/document.ts';
import type { Filters } from '../../jsonapi/filters.ts';
import { MAX_PAGE_NUMBER } from '../../jsonapi/page.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { describeResponses } from './openapi-responses.ts';

/** Path segments that are followed by an `{id}` other than a UUID. */
const TEXT_IDS: ReadonlySet<string> = new Set(['checks']);

/** Several values in one parameter, separated by commas. */
const COMMA_LIST = { style: 'form', explode: false } as const;

/** Describes an endpoint as an OpenAPI 3.1 operation. */
export function describeOperation(endpoint: Endpoint, limits: Limits): ZodOpenApiOperationObject {
  const { operationId, tag, summary, description, access } = endpoint;
  const required =
    access.permissions.length === 0 ? [] : [`Requires ${namePermissions(access.permissions)}.`];
  const sentences = [description, ...required, ...includeRequirements(endpoint)].filter(
    (text) => text !== undefined,
  );
  return {
    operationId,
    tags: [tag],
    summary,
    ...(sentences.length > 0 && { description: sentences.join(' ') }),
    requestParams: {
      ...pathParameters(endpoint),
      query: z.object(queryParameters(endpoint, limits)),
      ...(endpoint.headers !== undefined && { header: z.object(headerParameters(endpoint)) }),
    },
    ...requestBody(endpoint),
    responses: describeResponses(endpoint),
  };
}

function includeRequirements({ access, includes = {} }: Endpoint): string[] {
  return Object.entries(includes).flatMap(([name, included]) => {
    const additional = included.access.permissions.filter(
      (permission) => !access.permissions.includes(permission),
    );
    return additional.length === 0 ? [] : [`\`include=${name}\` requires ${namePermissions(additional)}.`];
  });
}

function namePermissions(permissions: readonly string[]): string {
  const names = permissions.map((permission) => `\`${permission}\``);
  return `the ${names.length === 1 ? 'permission' : 'permissions'} ${names.join(' and ')}`;
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
  const description = `ID of the ${singular(type)}.`;
  const id = (TEXT_IDS.has(type) ? z.string() : z.uuid()).meta({ description });
  return { path: z.object(Object.fromEntries(names.map((name) => [name, params[name] ?? id]))) };
}

/** Converts a resource type to a readable singular, such as `api-keys` to `API key`. */
function singular(type: string): string {
  return type.replace(/ies$/, 'y').replace(/s$/, '').replaceAll('-', ' ').replace(/^api /, 'API ');
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
  for (const [name, { description, values }] of Object.entries(query.options ?? {}))
    parameters[name] = z.enum(values).meta({ description });
  for (const [name, { description, max }] of Object.entries(query.numbers ?? {}))
    parameters[name] = z.int().min(1).max(max).optional().meta({ description });
  for (const [name, parameter] of filterParameters(query.filters ?? {})) parameters[name] = parameter;
  for (const [type, attributes] of Object.entries(query.fields))
    parameters[`fields[${type}]`] = nameList(
      attributes,
      `Attributes of \`${type}\` to return, separated by commas. Defaults to all attributes.`,
    );
  const included = Object.keys(includes);
  if (included.length > 0)
    parameters.include = nameList(included, 'Related resources to include, separated by commas.');
  if (query.list !== undefined) {
    const { sorts, defaultSort, cursors = false, positions = false, isWhole = false } = query.list;
    const keys = Object.keys(sorts).flatMap((key) => [key, `-${key}`]);
    parameters.sort = commaList(
      keys,
      `Sort keys, separated by commas. Prefix a key with \`-\` for descending order. Defaults to \`${defaultSort}\`.`,
    );
    if (isWhole) {
      parameters['page[after]'] = z.uuid().optional().meta({
        description:
          'ID of the last finding that you received. Returns the findings after it in the sort order.',
      });
      parameters['page[after_values]'] = z.string().optional().meta({
        description:
          'The values of the finding in `page[after]` as you received them: a JSON object with the columns of the sort keys (for `severity`, also `status`; for `resource`, `resource_name` and `resource_uid`; for `id`, `check_id` and `account`, none, because they never change). Other columns are ignored. Without this parameter, the response continues at the present position of the finding: if the finding has moved in the sort order, findings that have not changed can be missing or repeated.',
      });
      return parameters;
    }
    const number = z.int().min(1).max(MAX_PAGE_NUMBER).optional();
    parameters['page[number]'] = number.meta({ description: 'Page number, starting at 1. Defaults to 1.' });
    parameters['page[size]'] = z
      .int()
      .min(1)
      .max(limits.maxPageSize)
      .optional()
      .meta({
        description: `Number of resources per page, at most ${limits.maxPageSize.toLocaleString('en')}. Defaults to ${limits.defaultPageSize.toLocaleString('en')}.`,
      });
    if (cursors) {
      parameters['page[after]'] = z.string().optional().meta({
        description:
          'Cursor for cursor-based pagination. Leave it empty for the first page, then follow `links.next`. If it is present, `page[number]` is ignored.',
      });
    }
    if (positions) {
      parameters['page[position]'] = z.number().min(0).max(1).optional().meta({
        description:
          'Fraction of the list that precedes the page, from 0 to 1, for example for a scroll bar. The page starts approximately there. Follow `links.next` to continue. Takes precedence over `page[number]`; ignored if `page[after]` is present.',
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

/** PostgreSQL cannot store U+0000 in text. */
function textOf(schema: z.ZodType): z.ZodType {
  if (schema.meta()?.pattern !== undefined) return schema;
  const isText = schema instanceof z.ZodPipe || (schema instanceof z.ZodString && schema.format === null);
  return isText ? z.string().meta({ pattern: '^[^\\x00]*$' }) : schema;
}

/** One value of a comma-separated list: not blank, and without a comma. */
function entryOf(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodEnum || schema instanceof z.ZodUUID) return schema;
  return z.string().meta({ pattern: '^[^,\\x00]*[^,\\s\\x00][^,\\x00]*$' });
}

/** A comma-separated list of names; the list may be empty (JSON:API 1.1, "Sparse Fieldsets"). */
function nameList(names: readonly string[], description: string): z.ZodType {
  return commaList(['', ...names], description, 0);
}

function commaList(values: readonly string[], description: string, minItems = 1): z.ZodType {
  const [first = '', ...others] = values;
  return z
    .array(z.enum([first, ...others]))
    .min(minItems)
    .optional()
    .meta({ description, param: COMMA_LIST });
}
