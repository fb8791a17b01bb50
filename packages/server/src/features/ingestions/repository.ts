import { type SelectedPage, selectPage } from '../../db/paging/select-page.ts';
import type { Queryable } from '../../db/transaction.ts';
import { utcTimestamp } from '../../db/utc-timestamp.ts';
import type { Query } from '../../jsonapi/query.ts';

export const INGESTION_STATUSES = ['pending', 'processing', 'completed', 'failed'] as const;
export type IngestionStatus = (typeof INGESTION_STATUSES)[number];

/** A job as returned by the API. Counts are exact up to 2^53. Times are in ISO 8601 format with microseconds and `Z`. */
export interface IngestionRow {
  readonly id: string;
  readonly status: IngestionStatus;
  readonly total: number;
  readonly processed: number;
  readonly invalid: number;
  readonly warnings: number;
  readonly file_name: string | null;
  readonly received_bytes: number;
  readonly bytes: number;
  readonly requested_at: string;
  readonly started_at: string | null;
  readonly completed_at: string | null;
}

const timestamp = (column: string) => `${utcTimestamp(column)} as ${column}`;

const COLUMNS = `id, status, total::float8, processed::float8, invalid::float8, warnings::float8, file_name,
  received_bytes::float8, bytes::float8,
  ${timestamp('requested_at')}, ${timestamp('started_at')}, ${timestamp('completed_at')}`;

/** Returns the jobs with these ids, in any order. Unknown ids are skipped. */
export async function findIngestionsByIds(
  client: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<readonly IngestionRow[]> {
  const { rows } = await client.query<IngestionRow>(
    `select ${COLUMNS} from ingestions where tenant_id = $1 and id = any($2::uuid[])`,
    [tenantId, ids],
  );
  return rows;
}

export async function listIngestions(
  client: Queryable,
  tenantId: string,
  query: Query,
): Promise<SelectedPage<IngestionRow>> {
  return await selectPage<IngestionRow>(
    client,
    { columns: COLUMNS, table: 'ingestions', tieBreaker: { sql: 'id', type: 'uuid', descending: false } },
    tenantId,
    query,
  );
}
