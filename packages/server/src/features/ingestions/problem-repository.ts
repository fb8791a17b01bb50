import { type SelectedPage, selectPage } from '../../db/paging/select-page.ts';
import type { Queryable } from '../../db/transaction.ts';
import type { Query } from '../../jsonapi/query.ts';
import { briefText } from '../../jsonapi/truncate-texts.ts';

/** The tables for problems and for their counts by code. */
export interface ProblemTables {
  readonly table: 'ingestion_errors' | 'ingestion_warnings';
  readonly counts: 'ingestion_error_counts' | 'ingestion_warning_counts';
}

/** An error or warning of a job. `record_index` is null if the problem concerns the whole file. */
export interface ProblemRow {
  readonly code: string;
  readonly detail: string;
  readonly record_index: number | null;
  readonly byte_offset: number;
  /** JSON Pointer inside the record. */
  readonly pointer: string | null;
  readonly finding_uid: string | null;
}

const COLUMNS = `code, ${briefText('detail')} as detail, record_index::float8, byte_offset::float8, pointer,
  ${briefText('finding_uid')} as finding_uid`;

const TIE_BREAKER = [
  { sql: 'byte_offset', type: 'bigint', descending: false },
  { sql: 'code', type: 'text', descending: false },
];
/** A record can have several warnings with the same code, but at most one error. */
const BY_POINTER = [...TIE_BREAKER, { sql: 'pointer', type: 'text', descending: false }];

export async function listProblems(
  client: Queryable,
  { table }: ProblemTables,
  tenantId: string,
  ingestionId: string,
  query: Query,
): Promise<SelectedPage<ProblemRow>> {
  const conditions = [{ sql: (bind: (value: unknown) => string) => `ingestion_id = ${bind(ingestionId)}` }];
  const tieBreaker = table === 'ingestion_warnings' ? BY_POINTER : TIE_BREAKER;
  return await selectPage<ProblemRow>(
    client,
    { columns: COLUMNS, table, tieBreaker, conditions },
    tenantId,
    query,
  );
}

/** Returns the exact number of problems by code, even if not all problems were stored. */
export async function countsByCode(
  client: Queryable,
  { counts }: ProblemTables,
  tenantId: string,
  ingestionId: string,
): Promise<Record<string, number>> {
  const { rows } = await client.query<{ code: string; count: number }>(
    `select code, count::float8 from ${counts} where tenant_id = $1 and ingestion_id = $2 order by code`,
    [tenantId, ingestionId],
  );
  return Object.fromEntries(rows.map(({ code, count }) => [code, count]));
}
