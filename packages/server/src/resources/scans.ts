import { SEVERITIES, type SeverityName } from '@sluice/ocsf';
import { z } from 'zod';
import { READ_FINDINGS } from '../auth/permissions.ts';
import { type SelectedPage, selectPage } from '../db/paging/select-page.ts';
import type { Queryable } from '../db/transaction.ts';
import { utcTimestamp } from '../db/utc-timestamp.ts';
import type { ResourceType } from '../http/endpoints/resource-type.ts';
import { SCAN_COUNTS, type ScanCount } from '../ingest/merge/scans.ts';
import type { Labels } from '../ingest/upload/labels.ts';
import { API_PREFIX } from '../jsonapi/document.ts';
import { type Query, selectFields } from '../jsonapi/query.ts';
import { describeResource, timestamp } from '../jsonapi/schemas.ts';
import { isUuid } from '../jsonapi/uuid.ts';
import { CHANGE_DESCRIPTIONS, CHANGES, changedFindingsPath, changeTotals } from './finding-changes.ts';
import { labels } from './labels.ts';
import { providerSubquery } from './providers.ts';

const SCANS = 'scans';

const count = z.int().min(0);
const bySeverity = (description: string) => z.record(z.enum(SEVERITIES), count).meta({ description });

const scans = describeResource({
  type: SCANS,
  description: 'The records in one upload that have the same provider and scan ID.',
  attributes: {
    uid: z
      .string()
      .nullable()
      .meta({ description: 'Scan ID in the records. `null` if the records have none.' }),
    started_at: timestamp.meta({ description: 'Time of the earliest record.' }),
    ended_at: timestamp.meta({ description: 'Time of the latest record.' }),
    inserted_at: timestamp.meta({ description: 'Time at which the upload was accepted.' }),
    records: count.meta({
      description: 'Number of valid records. The other record counts are subsets of this count.',
    }),
    failed: count.meta({ description: 'Number of records with the status FAIL that are not muted.' }),
    muted: count.meta({ description: 'Number of muted records, regardless of their status.' }),
    by_status: z
      .strictObject({ PASS: count, FAIL: count, MANUAL: count })
      .meta({ description: 'Number of records by status, including muted records.' }),
    by_severity: bySeverity('Number of records by severity, including muted records.'),
    failed_by_severity: bySeverity('Number of records with the status FAIL that are not muted, by severity.'),
    ...Object.fromEntries(
      CHANGES.map((change) => [change, count.nullable().meta({ description: CHANGE_DESCRIPTIONS[change] })]),
    ),
  },
  relationships: { provider: 'providers', ingestion: 'ingestions' },
  ownLinks: CHANGES,
  meta: { labels },
});

/**
 * A scan as returned by the API. Counts are exact up to 2^53. Times are in ISO 8601 format with microseconds and `Z`.
 */
export interface ScanRow extends Readonly<Record<ScanCount, number>> {
  readonly id: string;
  readonly ingestion_id: string;
  readonly provider_id: string;
  /** The scan id in the records; null if the records have none. */
  readonly uid: string | null;
  readonly inserted_at: string;
  readonly started_at: string;
  readonly ended_at: string;
  /** Null if an earlier release accepted the upload. */
  readonly change_counts: readonly number[] | null;
  readonly labels: Labels;
}

/** Converts a scan to a resource object. */
function scanResource(row: ScanRow, publicUrl: string, fields?: ReadonlySet<string>) {
  const base = `${publicUrl}${API_PREFIX}`;
  const { uid, started_at, ended_at, inserted_at, records, failed, muted, pass, fail, manual } = row;
  const attributes = {
    uid,
    started_at,
    ended_at,
    inserted_at,
    records,
    failed,
    muted,
    by_status: { PASS: pass, FAIL: fail, MANUAL: manual },
    by_severity: eachSeverity((name) => row[`severity_${name}`]),
    failed_by_severity: eachSeverity((name) => row[`failed_${name}`]),
    ...changeTotals(row.change_counts),
  };
  return {
    type: SCANS,
    id: row.id,
    attributes: selectFields(attributes, fields),
    relationships: {
      provider: relation('providers', row.provider_id, base),
      ingestion: relation('ingestions', row.ingestion_id, base),
    },
    links: {
      self: `${base}/${SCANS}/${row.id}`,
      ...Object.fromEntries(
        CHANGES.map((change) => [change, `${base}${changedFindingsPath(change, row.id)}`]),
      ),
    },
    meta: { labels: row.labels },
  };
}

function relation(type: string, id: string, base: string) {
  return { data: { type, id }, links: { related: `${base}/${type}/${id}` } };
}

function eachSeverity(countOf: (name: SeverityName) => number): Record<string, number> {
  return Object.fromEntries(SEVERITIES.map((name) => [name, countOf(name)]));
}

const timestampColumn = (column: string) => `${utcTimestamp(`s.${column}`)} as ${column}`;

/** SQL for a column of the upload that contains the scan `s`. */
const ofUpload = (column: string) =>
  `(select i.${column} from ingestions i where i.tenant_id = $1 and i.id = s.ingestion_id)`;
/** The name of the uploaded file. */
export const FILE_NAME = ofUpload('file_name');
export const LABELS = ofUpload('labels');

const COLUMNS = [
  's.id, s.ingestion_id, s.provider_id, s.uid',
  ...['inserted_at', 'started_at', 'ended_at'].map(timestampColumn),
  ...SCAN_COUNTS.map((name) => `s.${name}::float8`),
  's.change_counts',
  `${LABELS} as labels`,
].join(', ');

/** Scans (`s`) of live providers (`p`). */
const LIVE_SCANS = `scans s
  join ${providerSubquery('s')} as p on p.deleted_at is null`;

/** Selects a page of scans of live providers. */
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

/** Returns the scans with these ids, in any order. Unknown ids are skipped. */
async function findScansByIds(
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

/** Scans of live providers. Requires `read_findings`. */
export const scanResourceType: ResourceType<ScanRow> = {
  resource: scans,
  access: READ_FINDINGS,
  isId: isUuid,
  findByIds: findScansByIds,
  toResource: scanResource,
  notFoundDetail: 'No scan has this ID.',
};
