import { SEVERITIES, severityId } from '@sluice/ocsf';
import { avoidIndexScans, withoutIndexScans } from '../../db/avoid-index-scans.ts';
import type { SelectedPage } from '../../db/paging/select-page.ts';
import type { Queryable } from '../../db/transaction.ts';
import { utcTimestamp } from '../../db/utc-timestamp.ts';
import type { Query } from '../../jsonapi/query.ts';
import { orderBy, type SortKeys, type SortTerm } from '../../jsonapi/sort.ts';
import { STATUSES } from './filters.ts';
import { labelGroups } from './group-labels.ts';
import {
  GROUPINGS,
  type Grouping,
  type GroupRow,
  type LabeledGroup,
  severityColumn,
  statusColumn,
} from './group-resource.ts';
import {
  affectedByGroup,
  countedGroups,
  type GroupSource,
  type Parameters,
  readByResource,
  readFacets,
  readGroups,
} from './group-source.ts';
import { excludeDeletedProviders } from './repository.ts';
import { prepareSearch } from './search.ts';

const count = (sql: string) => ({ sql, type: 'bigint' });

/** Sort keys for groups. */
export const GROUP_SORTS: SortKeys = {
  name: { sql: 'name', type: 'text', nullable: true },
  total: count('total'),
  failing: count('failing'),
  muted: count('muted'),
  ...Object.fromEntries(SEVERITIES.map((name) => [name, count(severityColumn(name))])),
  ...Object.fromEntries(STATUSES.map((name) => [name.toLowerCase(), count(statusColumn(name))])),
  accounts: count('accounts'),
  resources: count('resources'),
  oldest_failing_at: { sql: 'oldest', type: 'timestamptz', nullable: true },
};

/** Groups that are equal in the requested order: most failing findings first, and the most severe of them. */
const TIES: readonly SortTerm[] = [
  ...['failing', 'severity_fatal', 'severity_critical', 'severity_high', 'total'].map((sql) => ({
    ...count(sql),
    descending: true,
  })),
  { sql: 'key', type: 'text', nullable: true, descending: false },
];

/** The attributes that are read from the failing findings of the page's groups. */
const AFFECTED = ['accounts', 'resources', 'oldest_failing_at'] as const;

/** Selects a page of groups of the findings that match the query's filters. */
export async function listGroups(
  client: Queryable,
  tenantId: string,
  query: Query,
  fields: ReadonlySet<string> | undefined,
): Promise<SelectedPage<LabeledGroup>> {
  const by = groupingOf(query);
  const live = await excludeDeletedProviders(client, tenantId);
  const conditions = [...live, ...(await prepareSearch(client, tenantId, query.conditions))];
  const source = { tenantId, by, conditions, facets: await readFacets(client, tenantId, by) };
  const page = await selectGroups(client, source, query);
  const missing = page.missing.filter((name) => fields === undefined || fields.has(name));
  const rows = missing.length === 0 ? page.rows : await withAffected(client, source, { ...page, missing });
  const labelOf = await labelGroups(client, tenantId, by, rows);
  const labeled = rows.map((row) => ({ by, row, label: labelOf(row), filters: query.filters }));
  return { rows: labeled, count: page.count, next: null };
}

function groupingOf(query: Query): Grouping {
  const by = GROUPINGS.find((grouping) => grouping === query.options.get('by'));
  if (by === undefined) throw new TypeError('by is required');
  return by;
}

const FAILING = `status = 'FAIL' and not muted`;

const COUNTS: Readonly<Record<string, string>> = {
  total: 'coalesce(sum(count), 0)',
  failing: `coalesce(sum(count) filter (where ${FAILING}), 0)`,
  muted: 'coalesce(sum(count) filter (where muted), 0)',
  ...Object.fromEntries(
    SEVERITIES.map((name) => [
      severityColumn(name),
      `coalesce(sum(count) filter (where ${FAILING} and severity = ${severityId(name)}), 0)`,
    ]),
  ),
  ...Object.fromEntries(
    STATUSES.map((name) => [statusColumn(name), `coalesce(sum(count) filter (where status = '${name}'), 0)`]),
  ),
  severity: 'coalesce(max(severity) filter (where severity <> 99 and count > 0), max(severity))',
};

const NUMBERS = [
  ...['total', 'failing', 'muted', 'accounts'],
  ...SEVERITIES.map(severityColumn),
  ...STATUSES.map(statusColumn),
];

interface GroupPage {
  readonly rows: readonly GroupRow[];
  readonly count: number;
  /** The attributes in `AFFECTED` that the rows do not have yet. */
  readonly missing: readonly (typeof AFFECTED)[number][];
}

/**
 * Numbers of resources and times require reading all failing findings if the groups are sorted by them. They are combined
 * with the counts by adding rows, because PostgreSQL may choose a slow join.
 */
async function selectGroups(client: Queryable, source: GroupSource, query: Query): Promise<GroupPage> {
  const values: unknown[] = [];
  const parameters = parametersOf(source, values);
  const isSorted = (...columns: string[]) => isSortedBy(query, columns);
  const hasAffected = isSorted('resources', 'oldest');
  const byAccount = countedGroups(source, parameters, true);
  const stored = byAccount ?? (isSorted('accounts') ? undefined : countedGroups(source, parameters, false));
  if (source.by === 'resource' && !hasAffected && !isSorted('accounts'))
    return await selectResources(client, source, query);
  if (stored === undefined || hasAffected) await avoidIndexScans(client);
  // A resource has one account, so only the groups of the page need it.
  const readsAccounts = source.by !== 'resource' || isSorted('accounts');
  const affected = hasAffected
    ? `union all select key, null, null, null, null, null, resources, oldest
      from (${affectedByGroup(source, parameters, { withAccounts: false })}) as affected`
    : '';
  const parts = `select *, null::bigint as resources, null::timestamptz as oldest
    from (${stored ?? readGroups(source, parameters, readsAccounts)}) as counted ${affected}`;
  const text = pageStatement(source, parameters, query, parts, Object.keys(COUNTS));
  const { rows } = await withoutIndexScans(client, () => client.query<PlacedGroup>(text, values));
  const hasAccounts = stored === undefined ? readsAccounts : byAccount !== undefined;
  return {
    rows: rows.filter(({ place }) => place !== null),
    count: rows[0]?.groups ?? 0,
    missing: [
      ...(hasAccounts ? [] : (['accounts'] as const)),
      ...(hasAffected ? [] : (['resources', 'oldest_failing_at'] as const)),
    ],
  };
}

type PlacedGroup = GroupRow & { readonly groups: number; readonly place: number | null };

/**
 * There can be many resources. Reads all findings for the order only, and then the findings of the page's resources for
 * the counts.
 */
async function selectResources(client: Queryable, source: GroupSource, query: Query): Promise<GroupPage> {
  const values: unknown[] = [];
  const parameters = parametersOf(source, values);
  const parts = withoutAffected(readByResource(source, parameters));
  const sorted = Object.keys(COUNTS).filter((name) => isSortedBy({ sort: [...query.sort, ...TIES] }, [name]));
  const text = pageStatement(source, parameters, query, parts, sorted);
  const { rows } = await withoutIndexScans(client, () => client.query<PlacedGroup>(text, values));
  const keys = rows.filter(({ place }) => place !== null).map(({ key }) => key);
  const missing = ['accounts', 'resources', 'oldest_failing_at'] as const;
  const count = rows[0]?.groups ?? 0;
  if (keys.length === 0) return { rows: [], count, missing };
  const pageValues: unknown[] = [];
  const pageParameters = parametersOf(source, pageValues);
  const ofPage = withoutAffected(readGroups(source, pageParameters, false, keys));
  const page = { ...query.page, number: 1 };
  const pageText = pageStatement(source, pageParameters, { ...query, page }, ofPage, Object.keys(COUNTS));
  const found = await client.query<PlacedGroup>(pageText, pageValues);
  return { rows: found.rows, count, missing };
}

function withoutAffected(counted: string): string {
  return `select *, null::bigint as resources, null::timestamptz as oldest from (${counted}) as counted`;
}

function isSortedBy({ sort }: Pick<Query, 'sort'>, columns: readonly string[]): boolean {
  return sort.some(({ sql }) => columns.includes(sql));
}

/** The statement that adds up the parts of each group and selects a page of groups with these counts. */
function pageStatement(
  source: GroupSource,
  { bind, tenant }: Parameters,
  query: Query,
  parts: string,
  counts: readonly string[],
): string {
  const { sort, page } = query;
  const terms = orderBy([...sort, ...TIES.filter(({ sql }) => !isSortedBy(query, [sql]))]);
  const has = (column: string) => counts.includes(column);
  return `with groups as materialized (
       select key, ${counts.map((name) => `${COUNTS[name]} as ${name}, `).join('')}
         coalesce(max(resources), 0) as resources, min(oldest) as oldest,
         ${has('severity') ? `count(distinct provider_id) filter (where ${FAILING} and count > 0)` : '0'} as accounts
       from (${parts}) as parts
       group by key having sum(count) > 0
     ), named as (
       select *, ${isSortedBy(query, ['name']) ? nameOf(source.by, tenant) : 'null::text'} as name from groups
     ), placed as (
       select *, row_number() over (order by ${terms}) as place from named
       order by ${terms} limit ${bind(page.size)} offset ${bind((page.number - 1) * page.size)}
     )
     select key::text, ${NUMBERS.map((number) => `${has(number) || number === 'accounts' ? number : 0}::float8 as ${number}`).join(', ')},
       ${has('severity') ? 'severity' : 'null'} as severity, place::float8,
       resources::float8, ${utcTimestamp('oldest')} as oldest_failing_at, total_groups.groups
     from (select count(*)::float8 as groups from groups) as total_groups left join placed on true order by place`;
}

/** SQL for the name of a group, by which the groups are sorted. */
function nameOf(by: Grouping, tenant: string): string {
  switch (by) {
    case 'check':
      return `(select coalesce(title, check_id) from checks where tenant_id = ${tenant} and checks.key = groups.key)`;
    case 'resource':
      return `(select sort_name from resources where tenant_id = ${tenant} and resources.key = groups.key)`;
    case 'account':
      return `(select coalesce(alias, account) from providers where tenant_id = ${tenant} and providers.id = groups.key)`;
    default:
      return 'key collate "default"';
  }
}

/** Adds the attributes that are read from the failing findings of the page's groups. */
async function withAffected(
  client: Queryable,
  source: GroupSource,
  { rows, missing }: GroupPage,
): Promise<readonly GroupRow[]> {
  const failing = rows.filter((row) => row.failing > 0);
  const values: unknown[] = [];
  const parameters = parametersOf(source, values);
  const affected = new Map<string | null, Partial<GroupRow>>();
  if (failing.length > 0) {
    await avoidIndexScans(client);
    const options = { withAccounts: missing.includes('accounts'), keys: failing.map(({ key }) => key) };
    const found = await client.query<Pick<GroupRow, 'key' | (typeof AFFECTED)[number]>>(
      `select key::text, resources::float8, accounts::float8, ${utcTimestamp('oldest')} as oldest_failing_at
       from (${affectedByGroup(source, parameters, options)}) as affected`,
      values,
    );
    for (const row of found.rows) affected.set(row.key, row);
  }
  const none = { accounts: 0, resources: 0, oldest_failing_at: null };
  return rows.map((row) => {
    const found = affected.get(row.key) ?? none;
    return { ...row, ...Object.fromEntries(missing.map((name) => [name, found[name]])) };
  });
}

function parametersOf({ tenantId }: GroupSource, values: unknown[]): Parameters {
  const bind = (value: unknown): string => `$${values.push(value)}`;
  return { bind, tenant: bind(tenantId) };
}
