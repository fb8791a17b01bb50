import type { Severity } from '@sluice/ocsf';
import type { PageSource } from '../../db/paging/page-statement.ts';
import { type SelectedPage, selectPage } from '../../db/paging/select-page.ts';
import { TENANT } from '../../db/tenant-parameter.ts';
import type { Queryable } from '../../db/transaction.ts';
import { utcTimestamp } from '../../db/utc-timestamp.ts';
import type { Condition } from '../../jsonapi/filters.ts';
import type { Query } from '../../jsonapi/query.ts';
import type { SortTerm } from '../../jsonapi/sort.ts';
import { briefText, briefTexts } from '../../jsonapi/truncate-texts.ts';
import { type CheckIdentity, checkKey } from '../../resources/check-key.ts';
import { exceptDeletedProviders } from '../../resources/deleted-providers.ts';
import { withoutNeedlessState } from '../../resources/finding-state.ts';
import { prepareConditions } from '../../resources/prepare-conditions.ts';
import { lacksKeys, onPreviousLayout } from '../../resources/previous-layout.ts';
import { providerSubquery } from '../../resources/providers.ts';
import type { DELTAS, STATUSES } from './filters.ts';
import { findingPosition, findingSections } from './finding-sections.ts';
import { findingTerms, findingTies } from './finding-sorts.ts';
import { PREVIOUS_COLUMNS, previousTerms, withScanId } from './previous-columns.ts';
import { patternUid } from './stored-uid.ts';

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
  /** The id of its resource; null if the record names none. */
  readonly resource_id: string | null;
  readonly resource_uid: string | null;
  readonly resource_name: string | null;
  readonly resource_type: string | null;
  readonly region: string | null;
  readonly service: string | null;
  readonly product: string | null;
  readonly provider_id: string;
  readonly provider_type: string;
  readonly account: string;
  readonly ingestion_id: string;
  readonly scan_id: string;
  readonly first_seen_at: string;
  readonly last_seen_at: string;
  readonly status_changed_at: string;
  /** Status in the previous upload that contained this finding; null if there is no such upload. */
  readonly previous_status: (typeof STATUSES)[number] | null;
  readonly previous_seen_at: string | null;
  /** Null if the finding is open. */
  readonly resolved_at: string | null;
  /** The upload that resolved the finding; null if there is none, or its job was removed. */
  readonly resolved_by: string | null;
}

/** A finding with columns from its check and its provider. */
export type FindingRow = StoredFinding & CheckTexts;

const timestamp = (column: string) => `${utcTimestamp(`findings.${column}`)} as ${column}`;

/** The columns that are the same in both layouts. `text` truncates long strings in lists. */
const commonColumns = (text: Text) => `findings.id, findings.severity, findings.status,
  ${text('findings.status_detail')} as status_detail, findings.muted, findings.delta, findings.provider_id,
  providers.type as provider_type, providers.account, findings.ingestion_id,
  ${timestamp('first_seen_at')}, ${timestamp('last_seen_at')}, ${timestamp('status_changed_at')},
  findings.previous_status, ${timestamp('previous_seen_at')}, ${timestamp('resolved_at')},
  case when findings.resolved_by is not null then (select id from ingestions
    where ingestions.tenant_id = ${TENANT} and ingestions.id = findings.resolved_by) end as resolved_by`;

type Text = (sql: string) => string;

const columns = (text: Text) => `${commonColumns(text)}, findings.scan_id, checks.check_id,
  ${text(`coalesce(findings.uid, ${patternUid('resources.uid_pattern', 'checks.check_id')})`)} as uid,
  resources.id as resource_id, ${text('resources.uid')} as resource_uid, ${text('resources.name')} as resource_name,
  facets.resource_type, facets.region, facets.service, facets.product`;

/** Evaluated for each row of a page (see `providerSubquery`). */
const byKey = (table: string, key: string, names: string) =>
  `lateral (select ${names} from ${table} where ${table}.tenant_id = ${TENANT}
    and ${table}.key = findings.${key} offset 0)`;

const PROVIDER = `cross join ${providerSubquery('findings')} as providers`;
const JOINS = `${PROVIDER}
  left join ${byKey('checks', 'check_key', 'check_id')} as checks on true
  left join ${byKey('finding_facets', 'facet_key', 'resource_type, region, service, product')} as facets on true
  left join ${byKey('resources', 'resource_key', 'id, uid, name, uid_pattern')} as resources on true`;

/** How the findings of a tenant are read: by their keys, or by the text columns of the previous release. */
async function layoutOf(client: Queryable, tenantId: string) {
  const isPrevious = await lacksKeys(client, tenantId);
  return {
    isPrevious,
    columns: (text: Text) =>
      isPrevious ? `${commonColumns(text)}, ${PREVIOUS_COLUMNS(text)}` : columns(text),
    joins: isPrevious ? PROVIDER : JOINS,
  };
}

/** The findings of live providers that match a query, in the layout of the tenant. */
export interface FindingSource {
  readonly source: PageSource & { readonly joins: string };
  readonly conditions: readonly Condition[];
  readonly sort: readonly SortTerm[];
  /** Whether the findings have no keys yet. */
  readonly isPrevious: boolean;
}

/** `text` truncates long strings. */
export async function findingSource(
  client: Queryable,
  tenantId: string,
  query: Query,
  text: Text,
): Promise<FindingSource> {
  const liveOnly = await exceptDeletedProviders(client, tenantId, 'findings');
  const layout = await layoutOf(client, tenantId);
  const { isPrevious } = layout;
  const termsOf = isPrevious ? previousTerms : findingTerms;
  const conditions = isPrevious
    ? onPreviousLayout(query.conditions)
    : await prepareConditions(
        client,
        tenantId,
        await withoutNeedlessState(client, tenantId, query.conditions),
      );
  const source = {
    columns: layout.columns(text),
    table: 'findings',
    tenantColumn: 'findings.tenant_id',
    tieBreaker: termsOf(findingTies(query.sort.at(-1))),
    conditions: liveOnly,
    joins: layout.joins,
  };
  return { source, conditions, sort: termsOf(query.sort), isPrevious };
}

/** Selects a page of findings of live providers. */
export async function listFindings(
  client: Queryable,
  tenantId: string,
  query: Query,
): Promise<SelectedPage<FindingRow>> {
  const { source, conditions, sort, isPrevious } = await findingSource(client, tenantId, query, briefText);
  const all = [...(source.conditions ?? []), ...conditions];
  const matching = { client, tenantId, conditions: all };
  const counted: Pick<PageSource, 'sections' | 'locate'> = {
    sections: (terms, range) => findingSections(matching, terms, range),
    locate: (terms, fraction, size) => findingPosition(matching, terms, fraction, size),
  };
  const page = await selectPage<StoredFinding>(client, { ...source, ...(!isPrevious && counted) }, tenantId, {
    ...query,
    conditions,
    sort,
  });
  const rows = isPrevious ? page.rows.map(withScanId) : page.rows;
  return { ...page, rows: await withCheckTexts(client, tenantId, rows, { isBrief: true }) };
}

/** Returns the tenant's finding with this id if its provider is live. */
export async function findFinding(
  client: Queryable,
  tenantId: string,
  findingId: string,
): Promise<FindingRow | undefined> {
  const layout = await layoutOf(client, tenantId);
  const { rows } = await client.query<StoredFinding>(
    `select ${layout.columns((sql) => sql)} from findings ${layout.joins}
     where findings.tenant_id = $1 and findings.id = $2 and providers.deleted_at is null`,
    [tenantId, findingId],
  );
  const found = layout.isPrevious ? rows.map(withScanId) : rows;
  const [row] = await withCheckTexts(client, tenantId, found, { isBrief: false });
  return row;
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
