import { z } from 'zod';
import { type AccessRule, READ_FINDINGS } from '../auth/permissions.ts';
import { type SelectedPage, selectPage } from '../db/paging/select-page.ts';
import type { Queryable } from '../db/transaction.ts';
import { utcTimestamp } from '../db/utc-timestamp.ts';
import type { ResourceType } from '../http/endpoints/resource-type.ts';
import { COVERAGES, type Coverage } from '../ingest/upload/coverage.ts';
import type { Labels } from '../ingest/upload/labels.ts';
import { API_PREFIX } from '../jsonapi/document.ts';
import { type Query, selectFields } from '../jsonapi/query.ts';
import { describeResource, timestamp } from '../jsonapi/schemas.ts';
import { isUuid } from '../jsonapi/uuid.ts';
import { changedFindings, changedFindingsOf } from './finding-changes.ts';
import { labels } from './labels.ts';

export const INGESTIONS = 'ingestions';

export const INGESTION_STATUSES = ['pending', 'processing', 'completed', 'failed'] as const;
type IngestionStatus = (typeof INGESTION_STATUSES)[number];

const count = z.int().min(0);

/** An ingestion job (docs/specification.md, "Ingestion job"). */
export const ingestions = describeResource({
  type: INGESTIONS,
  description: 'The ingestion job of an uploaded file.',
  attributes: {
    status: z.enum(INGESTION_STATUSES).meta({
      description:
        '`pending` until processing starts, then `processing`. `completed` if all records were ingested. `failed` if at least one record was rejected or the file is invalid; valid records are still ingested.',
    }),
    summary: z
      .strictObject({
        total: count.meta({ description: 'Number of records in the file.' }),
        processed: count.meta({ description: 'Number of records processed so far, valid or not.' }),
        invalid: count.meta({ description: 'Number of rejected records.' }),
      })
      .meta({ description: 'Progress of the job.' }),
    requested_at: timestamp.meta({ description: 'Time at which the upload was accepted.' }),
    started_at: timestamp
      .nullable()
      .meta({ description: 'Time at which processing started. `null` if the job is pending.' }),
    completed_at: timestamp
      .nullable()
      .meta({ description: 'Time at which the job ended. `null` if it has not ended.' }),
  },
  links: ['errors', 'warnings', 'file'],
  meta: {
    warnings: count.meta({ description: 'Number of warnings about ingested records.' }),
    file_name: z
      .string()
      .nullable()
      .meta({ description: 'Name of the uploaded file. `null` if the upload has none.' }),
    received_bytes: count.meta({ description: 'Size of the file as received, in bytes.' }),
    bytes: count.meta({ description: 'Size of the file after decompression, in bytes.' }),
    coverage: z.enum(COVERAGES).meta({
      description:
        'What the upload is complete for: nothing (`partial`), each account, product and check in it (`checks`), or each account and product in it (`account`).',
    }),
    dry_run: z.boolean().meta({
      description:
        'Whether the job only reports what the upload would do (`GET /ingestions/{id}/dry-run`), and changes nothing else.',
    }),
    labels,
    findings: changedFindings,
  },
});

/**
 * A job as returned by the API. Counts are exact up to 2^53. Times are in ISO 8601 format with microseconds and `Z`.
 */
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
  readonly coverage: Coverage;
  readonly dry_run: boolean;
  readonly labels: Labels;
  /** Null if an earlier release accepted the upload. */
  readonly change_counts: readonly number[] | null;
  readonly requested_at: string;
  readonly started_at: string | null;
  readonly completed_at: string | null;
}

/** Returns the URL of a job. */
export function ingestionUrl(publicUrl: string, id: string): string {
  return `${publicUrl}${API_PREFIX}/${INGESTIONS}/${id}`;
}

/** Converts a job to a resource object. */
export function ingestionResource(row: IngestionRow, publicUrl: string, fields?: ReadonlySet<string>) {
  const self = ingestionUrl(publicUrl, row.id);
  const { status, total, processed, invalid, requested_at, started_at, completed_at } = row;
  const attributes = {
    status,
    summary: { total, processed, invalid },
    requested_at,
    started_at,
    completed_at,
  };
  return {
    type: INGESTIONS,
    id: row.id,
    attributes: selectFields(attributes, fields),
    relationships: {
      errors: { links: { related: `${self}/errors` } },
      warnings: { links: { related: `${self}/warnings` } },
      file: { links: { related: `${self}/file` } },
    },
    links: { self },
    meta: {
      warnings: row.warnings,
      file_name: row.file_name,
      received_bytes: row.received_bytes,
      bytes: row.bytes,
      coverage: row.coverage,
      dry_run: row.dry_run,
      labels: row.labels,
      findings: changedFindingsOf(row.change_counts),
    },
  };
}

/** Returns the job as it was in the first response, for responses to repeated requests. */
export function asAccepted(row: IngestionRow): IngestionRow {
  return {
    ...row,
    status: 'pending',
    processed: 0,
    invalid: 0,
    warnings: 0,
    change_counts: row.change_counts?.map(() => 0) ?? null,
    started_at: null,
    completed_at: null,
  };
}

const timestampColumn = (column: string) => `${utcTimestamp(column)} as ${column}`;

const COLUMNS = `id, status, total::float8, processed::float8, invalid::float8, warnings::float8, file_name,
  received_bytes::float8, bytes::float8, coverage, dry_run, labels, change_counts,
  ${timestampColumn('requested_at')}, ${timestampColumn('started_at')}, ${timestampColumn('completed_at')}`;

/** Selects a page of jobs. */
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

/** Jobs. Requires `manage_ingestions` and an active subscription. */
export const ingestionResourceType: ResourceType<IngestionRow> = {
  resource: ingestions,
  access: { permissions: ['manage_ingestions'], subscription: true },
  isId: isUuid,
  findByIds: findIngestionsByIds,
  toResource: ingestionResource,
  notFoundDetail: 'No ingestion has this ID.',
};

/** Files and records expose the same data as findings, so they require the same permissions. */
export const READ_SUBMITTED_RECORDS: AccessRule = {
  ...ingestionResourceType.access,
  permissions: [...ingestionResourceType.access.permissions, ...READ_FINDINGS.permissions],
};
