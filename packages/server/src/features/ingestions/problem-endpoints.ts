import { z } from 'zod';
import { type SelectedPage, selectPage } from '../../db/paging/select-page.ts';
import type { Queryable } from '../../db/transaction.ts';
import type { ApiDependencies } from '../../http/endpoints/dependencies.ts';
import type { Endpoint } from '../../http/endpoints/endpoint.ts';
import { findExisting } from '../../http/endpoints/resource-type.ts';
import { equalityFilters } from '../../jsonapi/filters.ts';
import { listResponse } from '../../jsonapi/page.ts';
import { type Query, selectFields } from '../../jsonapi/query.ts';
import { describeResource, listOf } from '../../jsonapi/schemas.ts';
import { briefText } from '../../jsonapi/truncate-texts.ts';
import { ingestionResourceType } from '../../resources/ingestions.ts';

/** The tables for problems and for their counts by code. */
interface ProblemTables {
  readonly table: 'ingestion_errors' | 'ingestion_warnings';
  readonly counts: 'ingestion_error_counts' | 'ingestion_warning_counts';
}

/** An error or warning of a job. `record_index` is null if the problem concerns the file or several records. */
interface ProblemRow {
  readonly code: string;
  readonly detail: string;
  readonly record_index: number | null;
  readonly byte_offset: number;
  /** JSON Pointer inside the record. */
  readonly pointer: string | null;
  readonly finding_uid: string | null;
  /** Only in warnings. */
  readonly record_count?: number | null;
}

/** A list of problems of a job, with its own endpoint. */
interface ProblemList {
  readonly type: string;
  /** Last segment of the path. */
  readonly name: 'errors' | 'warnings';
  readonly operationId: string;
  readonly tables: ProblemTables;
  readonly description: string;
  readonly summary: string;
  /** Further or more specific attributes, and the SQL of further columns. */
  readonly attributes: z.ZodRawShape;
  readonly columns: string;
  /** Identifies a problem within its job. */
  readonly idOf: (row: ProblemRow) => string;
}

const POINTER = 'JSON Pointer (RFC 6901) to the field in the record. `null` if there is no such field.';

const PROBLEM_LISTS: readonly ProblemList[] = [
  {
    type: 'ingestion-errors',
    name: 'errors',
    operationId: 'listIngestionErrors',
    tables: { table: 'ingestion_errors', counts: 'ingestion_error_counts' },
    description: 'An error in a record or in the file.',
    summary: "List a job's errors",
    attributes: {},
    columns: '',
    idOf: ({ byte_offset, code }) => `${byte_offset}.${code}`,
  },
  {
    type: 'ingestion-warnings',
    name: 'warnings',
    operationId: 'listIngestionWarnings',
    tables: { table: 'ingestion_warnings', counts: 'ingestion_warning_counts' },
    description:
      'A warning about an ingested record. A warning with the code `missing_required_attribute` is about all records of the job that lack the attribute; its other attributes describe the first of them.',
    summary: "List a job's warnings",
    attributes: {
      pointer: z
        .string()
        .nullable()
        .meta({
          description: `${POINTER} If the code is \`missing_required_attribute\`, \`*\` stands for the index of an array.`,
        }),
      record_count: z.int().min(1).nullable().meta({
        description: 'Number of records that the warning is about. `null` if it concerns the file.',
      }),
    },
    columns: ', case when record_index is not null then record_count::float8 end as record_count',
    idOf: ({ byte_offset, code, pointer }) => `${byte_offset}.${code}.${pointer}`,
  },
];

/** The schema of `countsByCode`. */
export const problemCounts = z
  .record(z.string(), z.int())
  .meta({ description: 'Number of problems by code, including problems that were not stored.' });

/** The endpoints that list a job's errors (docs/specification.md, "Endpoints") and warnings. */
export function ingestionProblemEndpoints(dependencies: ApiDependencies): readonly Endpoint[] {
  return PROBLEM_LISTS.map((list) => listEndpointOf(list, dependencies));
}

function listEndpointOf(list: ProblemList, { publicUrl }: ApiDependencies): Endpoint {
  const { type, name, operationId, tables, description, summary, attributes, idOf } = list;
  const resource = describeResource({
    type,
    description,
    id: z.string(),
    attributes: {
      code: z.string().meta({ description: 'Stable code for programs.' }),
      detail: z.string().meta({ description: 'Explanation of the problem.' }),
      record_index: z.int().min(0).nullable().meta({
        description:
          'Index of the record in the file, starting at 0. `null` if the problem concerns the file or several records.',
      }),
      byte_offset: z.int().min(0).meta({ description: 'Offset in the decompressed file, in bytes.' }),
      pointer: z.string().nullable().meta({ description: POINTER }),
      finding_uid: z
        .string()
        .nullable()
        .meta({ description: '`finding_info.uid` of the record. `null` if unknown.' }),
      ...attributes,
    },
  });
  return {
    method: 'GET',
    path: `/ingestions/{id}/${name}`,
    resourceType: ingestionResourceType,
    operationId,
    tag: 'Ingestions',
    summary,
    access: ingestionResourceType.access,
    isUrgent: true,
    query: {
      fields: { [type]: resource.attributes },
      filters: equalityFilters('code', 'code', z.string(), 'text'),
      list: {
        sorts: {
          byte_offset: { sql: 'byte_offset', type: 'bigint' },
          record_index: { sql: `${tables.table}.record_index`, type: 'bigint', nullable: true },
          code: { sql: 'code', type: 'text' },
        },
        defaultSort: 'byte_offset',
      },
    },
    responses: {
      200: {
        description: `A page of ${name}.`,
        schema: listOf(resource, { meta: { counts: problemCounts } }),
      },
    },
    handle: async ({ request, access: { tenantId }, params, query, read }) => {
      const { id, page, counted } = await read(async (client) => {
        const { id } = await findExisting(ingestionResourceType, client, tenantId, params.id);
        const page = await listProblems(client, list, tenantId, id, query);
        return { id, page, counted: await countsByCode(client, tables.counts, tenantId, id) };
      });
      const fields = query.fields.get(type);
      const data = page.rows.map((row) => ({
        type,
        id: `${id}.${idOf(row)}`,
        attributes: selectFields({ ...row }, fields),
      }));
      return listResponse({ data, page, query, request, publicUrl: publicUrl(), meta: { counts: counted } });
    },
  };
}

const COLUMNS = `code, ${briefText('detail')} as detail, record_index::float8, byte_offset::float8, pointer,
  ${briefText('finding_uid')} as finding_uid`;

const TIE_BREAKER = [
  { sql: 'byte_offset', type: 'bigint', descending: false },
  { sql: 'code', type: 'text', descending: false },
];
/** A record can have several warnings with the same code, but at most one error. */
const BY_POINTER = [...TIE_BREAKER, { sql: 'pointer', type: 'text', descending: false }];

async function listProblems(
  client: Queryable,
  { tables: { table }, columns }: ProblemList,
  tenantId: string,
  ingestionId: string,
  query: Query,
): Promise<SelectedPage<ProblemRow>> {
  const conditions = [{ sql: (bind: (value: unknown) => string) => `ingestion_id = ${bind(ingestionId)}` }];
  const tieBreaker = table === 'ingestion_warnings' ? BY_POINTER : TIE_BREAKER;
  return await selectPage<ProblemRow>(
    client,
    { columns: COLUMNS + columns, table, tieBreaker, conditions },
    tenantId,
    query,
  );
}

/** Returns the exact number of problems by code, even if not all problems were stored. */
export async function countsByCode(
  client: Queryable,
  counts: ProblemTables['counts'],
  tenantId: string,
  ingestionId: string,
): Promise<Record<string, number>> {
  const { rows } = await client.query<{ code: string; count: number }>(
    `select code, count::float8 from ${counts} where tenant_id = $1 and ingestion_id = $2 order by code`,
    [tenantId, ingestionId],
  );
  return Object.fromEntries(rows.map(({ code, count }) => [code, count]));
}
