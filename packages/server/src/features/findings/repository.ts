import type { Severity } from '@sluice/ocsf';
import type { PageSource, Section } from '../../db/paging/page-statement.ts';
import { type SelectedPage, selectPage } from '../../db/paging/select-page.ts';
import type { Queryable } from '../../db/transaction.ts';
import { utcTimestamp } from '../../db/utc-timestamp.ts';
import { fileRemoved } from '../../jsonapi/errors.ts';
import type { Condition, ConditionSql } from '../../jsonapi/filters.ts';
import type { Query } from '../../jsonapi/query.ts';
import { orderBy, type SortKey, type SortTerm } from '../../jsonapi/sort.ts';
import { briefText } from '../../jsonapi/truncate-texts.ts';
import { providerSubquery } from '../../resources/provider-filters.ts';
import type { DELTAS, STATUSES } from './filters.ts';
import { type CheckTexts, withCheckTexts } from './finding-record.ts';

/** A finding with columns from its check and its provider. */
export type FindingRow = StoredFinding & CheckTexts;

/** A finding with columns from its provider. Times are in ISO 8601 format with microseconds and `Z`. */
interface StoredFinding {
  readonly id: string;
  readonly uid: string;
  readonly check_id: string;
  readonly severity: Severity;
  readonly status: (typeof STATUSES)[number];
  readonly status_detail: string | null;
  readonly muted: boolean;
  readonly delta: (typeof DELTAS)[number];
  readonly resource_uid: string | null;
  readonly resource_name: string | null;
  readonly resource_type: string | null;
  readonly region: string | null;
  readonly service: string | null;
  readonly provider_id: string;
  readonly provider_type: string;
  readonly account: string;
  readonly ingestion_id: string;
  readonly scan_uid: string | null;
  readonly first_seen_at: string;
  readonly last_seen_at: string;
  readonly status_changed_at: string;
  /** Status in the previous upload that contained this finding; null if there is no such upload. */
  readonly previous_status: (typeof STATUSES)[number] | null;
  readonly previous_seen_at: string | null;
}

/** Location of a finding's record. Offsets and lengths are in bytes. */
export interface RecordLocation {
  readonly ingestion_id: string;
  readonly requested_at: Date;
  readonly blob_removed_at: Date | null;
  readonly blob_offset: number;
  readonly blob_bytes: number;
  readonly index_bytes: number;
  readonly data_crc32: number | null;
  /** Offset in the decompressed frame. */
  readonly record_offset: number;
  readonly record_bytes: number;
}

const timestamp = (column: string) => `${utcTimestamp(`findings.${column}`)} as ${column}`;

/** `text` truncates long strings in lists. */
const columns = (
  text = (sql: string) => sql,
) => `findings.id, ${text('findings.uid')} as uid, findings.check_id,
  findings.severity, findings.status, ${text('findings.status_detail')} as status_detail,
  findings.muted, findings.delta, ${text('findings.resource_uid')} as resource_uid,
  ${text('findings.resource_name')} as resource_name, findings.resource_type, findings.region, findings.service, findings.provider_id,
  providers.type as provider_type, providers.account,
  findings.ingestion_id, findings.scan_uid,
  ${timestamp('first_seen_at')}, ${timestamp('last_seen_at')}, ${timestamp('status_changed_at')},
  findings.previous_status, ${timestamp('previous_seen_at')}`;

const JOINS = `cross join ${providerSubquery('findings')} as providers`;

const severity: SortKey = { sql: 'findings.severity', type: 'smallint' };
const status: SortKey = { sql: 'findings.status', type: 'finding_status' };
const id: SortKey = { sql: 'findings.id', type: 'uuid' };

/** Sort keys for findings. */
export const FINDING_SORTS = {
  severity,
  status,
  last_seen_at: { sql: 'findings.last_seen_at', type: 'timestamptz' },
  first_seen_at: { sql: 'findings.first_seen_at', type: 'timestamptz' },
  check_id: { sql: 'findings.check_id', type: 'text' },
  id,
} as const;

export async function listFindings(
  client: Queryable,
  tenantId: string,
  query: Query,
): Promise<SelectedPage<FindingRow>> {
  const liveOnly = await excludeDeletedProviders(client, tenantId);
  const conditions = [...liveOnly, ...query.conditions];
  const source: PageSource = {
    columns: columns(briefText),
    table: 'findings',
    tenantColumn: 'findings.tenant_id',
    tieBreaker: tieBreaker(query.sort.at(-1)),
    conditions: liveOnly,
    joins: JOINS,
    sections: (terms, after) => countSections(client, tenantId, conditions, terms, after),
  };
  const page = await selectPage<StoredFinding>(client, source, tenantId, query);
  return { ...page, rows: await withCheckTexts(client, tenantId, page.rows, { isBrief: true }) };
}

/** Findings with the same severity are also sorted by status, so that an index supports each section. */
function tieBreaker(last: SortTerm | undefined): readonly SortTerm[] {
  const keys = last?.sql === severity.sql ? [status, id] : [id];
  return keys.map((key) => ({ ...key, descending: false }));
}

/** Returns the tenant's finding with this id if its provider is live. */
export async function findFinding(
  client: Queryable,
  tenantId: string,
  findingId: string,
): Promise<FindingRow | undefined> {
  const { rows } = await client.query<StoredFinding>(
    `select ${columns()} from findings ${JOINS}
     where findings.tenant_id = $1 and findings.id = $2 and providers.deleted_at is null`,
    [tenantId, findingId],
  );
  const [row] = await withCheckTexts(client, tenantId, rows, { isBrief: false });
  return row;
}

/**
 * The location of a finding's record. `findFinding` must have found the finding in the same transaction. Throws an
 * ApiError (410) if the file with the record is no longer stored.
 */
export async function findRecordLocation(
  client: Queryable,
  tenantId: string,
  findingId: string,
): Promise<RecordLocation> {
  const { rows } = await client.query<RecordLocation>(
    `select findings.ingestion_id, ingestions.requested_at, ingestions.blob_removed_at, frames.blob_offset::float8, frames.blob_bytes,
       frames.index_bytes, frames.data_crc32::float8, findings.record_offset, findings.record_bytes
     from findings
     join ingestions on ingestions.tenant_id = $1 and ingestions.id = findings.ingestion_id
     join frames on frames.tenant_id = $1 and frames.ingestion_id = findings.ingestion_id
       and frames.number = findings.frame
     where findings.tenant_id = $1 and findings.id = $2`,
    [tenantId, findingId],
  );
  const [location] = rows;
  if (location === undefined) throw new Error(`finding ${findingId} has no frame`);
  if (location.blob_removed_at !== null) throw fileRemoved(location.ingestion_id);
  return location;
}

/**
 * Returns conditions that exclude the findings of deleted providers until these findings are removed in the background.
 * Deleted providers are rare, so a single query for pending removals is cheaper than checking the provider of every
 * finding.
 */
export async function excludeDeletedProviders(
  client: Queryable,
  tenantId: string,
): Promise<readonly Condition[]> {
  const { rows } = await client.query<{ id: string }>(
    'select provider_id as id from provider_removals where tenant_id = $1',
    [tenantId],
  );
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const sql: ConditionSql = (bind) => `findings.provider_id <> all(${bind(ids)}::uuid[])`;
  return [{ sql, countsSql: sql }];
}

/** The stored counts with the column names of `findings`, so that the same conditions apply to both. */
const STORED_COUNTS = `(select tenant_id, provider_id, nullif(service, '') as service, severity, status, muted, delta, number
  from finding_counts) as findings`;

/**
 * The `from` and `where` clauses for the stored counts that match these conditions; `undefined` if the stored counts
 * lack a column.
 */
export function storedCounts(
  conditions: readonly Condition[],
  bind: (value: unknown) => string,
  tenant: string,
): string | undefined {
  if (conditions.some(({ countsSql }) => countsSql === undefined)) return undefined;
  const supported = conditions.flatMap(({ countsSql }) => countsSql?.(bind, tenant) ?? []);
  return `${STORED_COUNTS} where ${[`findings.tenant_id = ${tenant}`, ...supported].join(' and ')}`;
}

/** Sort keys that the stored counts support. */
const COUNTED_SORT_KEYS: ReadonlySet<string> = new Set(['findings.severity', 'findings.status']);

/**
 * Counts the findings that match these conditions, grouped by the leading sort keys that the stored counts support, in
 * sort order. The section that contains `after` is included even if it is empty. Returns `undefined` if the stored
 * counts do not support a condition.
 */
async function countSections(
  client: Queryable,
  tenantId: string,
  conditions: readonly Condition[],
  terms: readonly SortTerm[],
  after: readonly string[],
): Promise<readonly Section[] | undefined> {
  const parameters: unknown[] = [];
  const bind = (value: unknown): string => `$${parameters.push(value)}`;
  const counted = storedCounts(conditions, bind, bind(tenantId));
  if (counted === undefined) return undefined;
  const other = terms.findIndex(({ sql }) => !COUNTED_SORT_KEYS.has(sql));
  const keys = terms.slice(0, other).map((term, at) => ({ ...term, name: `key_${at}` }));
  const keyColumns = keys.map(({ sql, name }) => `${sql} as ${name}, `).join('');
  const position = () => keys.map(({ type }, at) => `${bind(after[at])}::${type}, `).join('');
  const names = keys.map(({ name }) => name).join(', ');
  const values = `array[${keys.map(({ name }) => `${name}::text`).join(', ')}]::text[]`;
  const order = orderBy(keys.map((key) => ({ ...key, sql: key.name })));
  const { rows } = await client.query<Section>(
    `select ${values} as values, coalesce(sum(number), 0)::float8 as count from (
       select ${keyColumns} findings.number from ${counted}
       ${after.length > 0 ? `union all select ${position()} 0` : ''}
     ) as numbers ${keys.length > 0 ? `group by ${names} order by ${order}` : ''}`,
    parameters,
  );
  return rows;
}
