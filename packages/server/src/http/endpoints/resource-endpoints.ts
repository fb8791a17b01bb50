import type { SelectedPage } from '../../db/paging/select-page.ts';
import type { Queryable } from '../../db/transaction.ts';
import type { Filters } from '../../jsonapi/filters.ts';
import { listResponse } from '../../jsonapi/page.ts';
import type { ListDescription, Query, QueryDescription } from '../../jsonapi/query.ts';
import { documentOf, listOf } from '../../jsonapi/schemas.ts';
import type { ApiDependencies } from './dependencies.ts';
import type { Endpoint, ResponseDocument, Tag } from './endpoint.ts';
import {
  type Includes,
  includedResources,
  loadIncluded,
  loadIncludedForOne,
  type ReadContext,
  resourceQuery,
} from './includes.ts';
import { type Fields, findExisting, type ResourceType, type ResourceView } from './resource-type.ts';

interface ReadOptions {
  readonly tag: Tag;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  /** Description of the successful response. */
  readonly responseDescription: string;
  readonly isUrgent?: boolean;
}

export interface ListOptions<Row> extends ReadOptions, ListDescription, Pick<QueryDescription, 'options'> {
  /** Defaults to the resource type. */
  readonly path?: string;
  readonly resourceType: ResourceView<Row>;
  readonly includes?: Includes<Row>;
  readonly filters: Filters;
  /** Selects one page of the tenant's rows that match the query. */
  readonly select: (
    client: Queryable,
    tenantId: string,
    query: Query,
    fields: Fields,
  ) => Promise<SelectedPage<Row>>;
}

export interface GetOptions<Row> extends ReadOptions {
  readonly resourceType: ResourceType<Row>;
  readonly includes?: Includes<Row>;
}

type ReadDependencies = Pick<ApiDependencies, 'publicUrl'>;

/** `GET /<type>`: a paginated list of resources. */
export function listEndpoint<Row>({ publicUrl }: ReadDependencies, options: ListOptions<Row>): Endpoint {
  const { resourceType, includes = {}, filters, sorts, defaultSort, select } = options;
  const { cursors = false, positions = false } = options;
  const { tag, operationId, summary, description, responseDescription, isUrgent = false } = options;
  const { resource, access, toResource } = resourceType;
  const { path = `/${resource.type}`, options: parameters = {} } = options;
  const { query } = resourceQuery(resource, includes);
  return {
    method: 'GET',
    path,
    operationId,
    tag,
    summary,
    ...(description !== undefined && { description }),
    access,
    isUrgent,
    includes,
    query: { ...query, filters, options: parameters, list: { sorts, defaultSort, cursors, positions } },
    responses: {
      200: {
        description: responseDescription,
        schema: listOf(resource, { included: includedResources(includes) }),
      },
    },
    handle: async ({ request, access: { tenantId }, query, read }) => {
      const url = publicUrl();
      const fields = query.fields.get(resource.type);
      const { page, related } = await read(async (client) => {
        const page = await select(client, tenantId, query, fields);
        const context = { client, tenantId, query, publicUrl: url };
        return { page, related: await loadIncluded(includes, context, page.rows) };
      });
      const data = page.rows.map((row) => toResource(row, url, fields));
      return listResponse({ data, ...related, page, query, request, publicUrl: url });
    },
  };
}

/** `GET /<type>/{id}`: one resource. */
export function getEndpoint<Row>({ publicUrl }: ReadDependencies, options: GetOptions<Row>): Endpoint {
  const {
    resourceType,
    includes = {},
    tag,
    operationId,
    summary,
    description,
    responseDescription,
    isUrgent = false,
  } = options;
  const { resource, access } = resourceType;
  return {
    method: 'GET',
    path: `/${resource.type}/{id}`,
    resourceType,
    operationId,
    tag,
    summary,
    ...(description !== undefined && { description }),
    access,
    isUrgent,
    ...resourceQuery(resource, includes),
    responses: {
      200: {
        description: responseDescription,
        schema: documentOf(resource, { included: includedResources(includes) }),
      },
    },
    handle: async ({ access: { tenantId }, params, query, read }) => {
      const fields = query.fields.get(resource.type);
      const document = await read(async (client) => {
        const row = await findExisting(resourceType, client, tenantId, params.id, fields);
        const context = { client, tenantId, query, publicUrl: publicUrl() };
        return await resourceDocument(resourceType, includes, context, row);
      });
      return { status: 200, document };
    },
  };
}

/** Returns the document for one row, with the related resources that the query includes. */
export async function resourceDocument<Row>(
  { resource, toResource }: ResourceView<Row>,
  includes: Includes<Row>,
  context: ReadContext,
  row: Row,
): Promise<ResponseDocument> {
  const fields = context.query.fields.get(resource.type);
  const included = await loadIncludedForOne(includes, context, row);
  return { data: toResource(row, context.publicUrl, fields), ...included };
}
