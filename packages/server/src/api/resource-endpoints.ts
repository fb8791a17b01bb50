import type { Queryable } from '../db/transaction.ts';
import type { Filters } from '../jsonapi/filters.ts';
import { listAnswer } from '../jsonapi/list-answer.ts';
import type { ListDescription, Query } from '../jsonapi/query.ts';
import { documentOf, listOf } from '../jsonapi/schemas.ts';
import type { SelectedPage } from '../jsonapi/select-page.ts';
import type { ApiDependencies } from './dependencies.ts';
import type { Endpoint, OutcomeDocument } from './endpoint.ts';
import {
  type Includes,
  includedKinds,
  loadIncluded,
  loadIncludedOfOne,
  queryOf,
  type Reading,
} from './includes.ts';
import { type Fields, findExisting, type ResourceKind, type ShownKind } from './resource-kind.ts';
import type { Tag } from './tags.ts';

interface ReadingWords {
  readonly tag: Tag;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  /** What the answer holds. */
  readonly answer: string;
  readonly isUrgent?: boolean;
}

export interface ListOptions<Row> extends ReadingWords, ListDescription {
  readonly kind: ShownKind<Row>;
  readonly includes?: Includes<Row>;
  readonly filters: Filters;
  /** One page of the tenant's rows under the query. */
  readonly select: (
    client: Queryable,
    tenantId: string,
    query: Query,
    fields: Fields,
  ) => Promise<SelectedPage<Row>>;
}

export interface GetOptions<Row> extends ReadingWords {
  readonly kind: ResourceKind<Row>;
  readonly includes?: Includes<Row>;
}

type ReadingDependencies = Pick<ApiDependencies, 'publicUrl'>;

/** `GET /<type>`: pages of one kind of resource. */
export function listEndpoint<Row>({ publicUrl }: ReadingDependencies, options: ListOptions<Row>): Endpoint {
  const { kind, includes = {}, filters, sorts, defaultSort, cursors = false, select } = options;
  const { tag, operationId, summary, description, answer, isUrgent = false } = options;
  const { resource, access, toResource } = kind;
  const { query } = queryOf(resource, includes);
  return {
    method: 'GET',
    path: `/${resource.type}`,
    operationId,
    tag,
    summary,
    ...(description !== undefined && { description }),
    access,
    isUrgent,
    includes,
    query: { ...query, filters, list: { sorts, defaultSort, cursors } },
    answers: {
      200: { description: answer, schema: listOf(resource, { included: includedKinds(includes) }) },
    },
    handle: async ({ request, access: { tenantId }, query, read }) => {
      const url = publicUrl();
      const fields = query.fields.get(resource.type);
      const { page, related } = await read(async (client) => {
        const page = await select(client, tenantId, query, fields);
        const reading = { client, tenantId, query, publicUrl: url };
        return { page, related: await loadIncluded(includes, reading, page.rows) };
      });
      const data = page.rows.map((row) => toResource(row, url, fields));
      return listAnswer({ data, ...related, page, query, request, publicUrl: url });
    },
  };
}

/** `GET /<type>/{id}`: one resource. */
export function getEndpoint<Row>({ publicUrl }: ReadingDependencies, options: GetOptions<Row>): Endpoint {
  const { kind, includes = {}, tag, operationId, summary, description, answer, isUrgent = false } = options;
  const { resource, access } = kind;
  return {
    method: 'GET',
    path: `/${resource.type}/{id}`,
    idOf: kind,
    operationId,
    tag,
    summary,
    ...(description !== undefined && { description }),
    access,
    isUrgent,
    ...queryOf(resource, includes),
    answers: {
      200: { description: answer, schema: documentOf(resource, { included: includedKinds(includes) }) },
    },
    handle: async ({ access: { tenantId }, params, query, read }) => {
      const fields = query.fields.get(resource.type);
      const document = await read(async (client) => {
        const row = await findExisting(kind, client, tenantId, params.id, fields);
        const reading = { client, tenantId, query, publicUrl: publicUrl() };
        return await resourceDocument(kind, includes, reading, row);
      });
      return { status: 200, document };
    },
  };
}

/** The document of one row, with what the query includes. */
export async function resourceDocument<Row>(
  { resource, toResource }: ShownKind<Row>,
  includes: Includes<Row>,
  reading: Reading,
  row: Row,
): Promise<OutcomeDocument> {
  const fields = reading.query.fields.get(resource.type);
  const included = await loadIncludedOfOne(includes, reading, row);
  return { data: toResource(row, reading.publicUrl, fields), ...included };
}
