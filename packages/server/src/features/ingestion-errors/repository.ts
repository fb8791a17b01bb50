import type { Queryable } from '../../db/transaction.ts';
import type { Query } from '../../jsonapi/query.ts';
import { type SelectedPage, selectPage } from '../../jsonapi/select-page.ts';

/** An error of a job; `record_index` is null where it is the file's. */
export interface IngestionErrorRow {
  readonly code: string;
  readonly detail: string;
  readonly record_index: number | null;
  readonly byte_offset: number;
  /** JSON Pointer inside the record. */
  readonly pointer: string | null;
  readonly finding_uid: string | null;
}

const COLUMNS = 'code, detail, record_index::float8, byte_offset::float8, pointer, finding_uid';

const TIE_BREAKER = [
  { sql: 'byte_offset', type: 'bigint', descending: false },
  { sql: 'code', type: 'text', descending: false },
];

export async function listIngestionErrors(
  client: Queryable,
  tenantId: string,
  ingestionId: string,
  query: Query,
): Promise<SelectedPage<IngestionErrorRow>> {
  const conditions = [{ sql: (bind: (value: unknown) => string) => `ingestion_id = ${bind(ingestionId)}` }];
  const source = { columns: COLUMNS, table: 'ingestion_errors', tieBreaker: TIE_BREAKER, conditions };
  return await selectPage<IngestionErrorRow>(client, source, tenantId, query);
}

/** How often each code occurred, exact also where not every error was kept. */
export async function countsByCode(
  client: Queryable,
  tenantId: string,
  ingestionId: string,
): Promise<Record<string, number>> {
  const { rows } = await client.query<{ code: string; count: number }>(
    'select code, count::float8 from ingestion_error_counts where tenant_id = $1 and ingestion_id = $2 order by code',
    [tenantId, ingestionId],
  );
  return Object.fromEntries(rows.map(({ code, count }) => [code, count]));
}
