import type { Severity } from '@sluice/ocsf';
import type { PageSource } from '../../db/paging/page-statement.ts';
import { type SelectedPage, selectPage } from '../../db/paging/select-page.ts';
import type { Queryable } from '../../db/transaction.ts';
import { utcTimestamp } from '../../db/utc-timestamp.ts';
import type { Condition, ConditionSql } from '../../jsonapi/filters.ts';
import type { Query } from '../../jsonapi/query.ts';
import type { SortKey, SortTerm } from '../../jsonapi/sort.ts';
import { briefText, briefTexts } from '../../jsonapi/truncate-texts.ts';
import { type CheckIdentity, checkKey } from '../../resources/check-key.ts';
import { providerSubquery } from '../../resources/providers.ts';
import type { DELTAS, STATUSES } from './filters.ts';
import { countSections } from './stored-counts.ts';

/** The text columns of a check that are returned with its findings. */
export interface CheckTexts {
  readonly check_title: string | null;
  readonly categories: readonly string[];
}

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

/** A finding with columns from its check and its provider. */
export type FindingRow = StoredFinding & CheckTexts;

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

/** Selects a page of findings of live providers. */
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

const NO_TEXTS: CheckTexts = { check_title: null, categories: [] };

/**
 * Adds the checks' text columns to findings. Reads each check only once, because its text may be several megabytes in
 * size. A lateral subquery for each check always uses the complete primary key (see `providerSubquery`).
 */
export async function withCheckTexts<Row extends CheckIdentity>(
  client: Queryable,
  tenantId: string,
  rows: readonly Row[],
  { isBrief }: { readonly isBrief: boolean },
): Promise<readonly (Row & CheckTexts)[]> {
  if (rows.length === 0) return [];
  const distinct = new Map(rows.map((row) => [checkKey(row), row]));
  const [title, categories] = isBrief
    ? [briefText('title'), briefTexts('categories')]
    : ['title', 'categories'];
  const { rows: checks } = await client.query<CheckIdentity & CheckTexts>(
    `select requested.provider_type, requested.check_id, checks.check_title, checks.categories
     from unnest($2::text[], $3::text[]) as requested (provider_type, check_id)
     cross join lateral (select ${title} as check_title, coalesce(${categories}, '{}') as categories from checks
       where checks.tenant_id = $1 and checks.provider_type = requested.provider_type
         and checks.check_id = requested.check_id offset 0) as checks`,
    [
      tenantId,
      Array.from(distinct.values(), (row) => row.provider_type),
      Array.from(distinct.values(), (row) => row.check_id),
    ],
  );
  const textsByKey = new Map(
    checks.map((check) => [
      checkKey(check),
      { check_title: check.check_title, categories: check.categories } satisfies CheckTexts,
    ]),
  );
  return rows.map((row) => ({ ...row, ...(textsByKey.get(checkKey(row)) ?? NO_TEXTS) }));
}
