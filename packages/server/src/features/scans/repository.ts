import { type SelectedPage, selectPage } from '../../db/paging/select-page.ts';
import type { Queryable } from '../../db/transaction.ts';
import { utcTimestamp } from '../../db/utc-timestamp.ts';
import { SCAN_COUNTS, type ScanCount } from '../../ingest/merge/scan-counts.ts';
import type { Query } from '../../jsonapi/query.ts';
import { providerSubquery } from '../providers/provider-subquery.ts';

/** A scan as returned by the API. Counts are exact up to 2^53. Times are in ISO 8601 format with microseconds and `Z`. */
export interface ScanRow extends Readonly<Record<ScanCount, number>> {
  readonly id: string;
  readonly ingestion_id: string;
  readonly provider_id: string;
  /** The scan id in the records; null if the records have none. */
  readonly uid: string | null;
  readonly inserted_at: string;
  readonly started_at: string;
  readonly ended_at: string;
  readonly new_findings: number;
  readonly changed_findings: number;
}

const timestamp = (column: string) => `${utcTimestamp(`s.${column}`)} as ${column}`;

const COLUMNS = [
  's.id, s.ingestion_id, s.provider_id, s.uid',
  ...['inserted_at', 'started_at', 'ended_at'].map(timestamp),
  ...[...SCAN_COUNTS, 'new_findings', 'changed_findings'].map((name) => `s.${name}::float8`),
].join(', ');

/** Scans (`s`) of live providers (`p`). */
const LIVE_SCANS = `scans s
  join ${providerSubquery('s')} as p on p.deleted_at is null`;

/** The name of the uploaded file that contains the scan `s`. */
export const FILE_NAME =
  '(select i.file_name from ingestions i where i.tenant_id = s.tenant_id and i.id = s.ingestion_id)';

export async function listScans(
  client: Queryable,
  tenantId: string,
  query: Query,
): Promise<SelectedPage<ScanRow>> {
  return await selectPage<ScanRow>(
    client,
    {
      columns: COLUMNS,
      table: LIVE_SCANS,
      tenantColumn: 's.tenant_id',
      tieBreaker: { sql: 's.id', type: 'uuid', descending: false },
    },
    tenantId,
    query,
  );
}

/** The scans with these ids, in any order. Unknown ids are skipped. */
export async function findScansByIds(
  client: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<readonly ScanRow[]> {
  const { rows } = await client.query<ScanRow>(
    `select ${COLUMNS} from ${LIVE_SCANS} where s.tenant_id = $1 and s.id = any($2::uuid[])`,
    [tenantId, ids],
  );
  return rows;
}
