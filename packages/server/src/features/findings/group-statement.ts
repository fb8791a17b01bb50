import { SEVERITIES, severityId } from '@sluice/ocsf';
import { utcTimestamp } from '../../db/utc-timestamp.ts';
import type { Query } from '../../jsonapi/query.ts';
import { orderBy, type SortKeys, type SortTerm } from '../../jsonapi/sort.ts';
import { FAILING } from '../../resources/finding-totals.ts';
import { STATUSES } from './filters.ts';
import { type Grouping, type GroupRow, severityColumn, statusColumn } from './group-resource.ts';
import type { GroupSource, Parameters } from './group-source.ts';

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

/**
 * The order of groups that are equal in the requested order: most failing findings first, and the most severe of them.
 */
export function tiesOf(by: Grouping): readonly SortTerm[] {
  const counts = ['failing', 'severity_fatal', 'severity_critical', 'severity_high'];
  // Counting all findings by resource is slow.
  if (by !== 'resource') counts.push('total');
  return [
    ...counts.map((sql) => ({ ...count(sql), descending: true })),
    { sql: 'key', type: 'text', nullable: true, descending: false },
  ];
}

/** The SQL of each count of a group. */
export const COUNTS: Readonly<Record<string, string>> = {
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

/** A group of the page, or a row without a place if the page is empty. */
export type PlacedGroup = GroupRow & { readonly groups: number; readonly place: number | null };

/** The statement that adds up the parts of each group and selects a page of groups with these counts. */
export function groupStatement(
  source: GroupSource,
  { bind, tenant }: Parameters,
  query: Query,
  parts: string,
  counts: readonly string[],
): string {
  const { sort, page } = query;
  const terms = orderBy([...sort, ...tiesOf(source.by).filter(({ sql }) => !isSortedBy(query, [sql]))]);
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

/** SQL for the parts of groups that are counts only. */
export function withoutAffected(counted: string): string {
  return `select *, null::bigint as resources, null::timestamptz as oldest from (${counted}) as counted`;
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

/** Whether the groups are sorted by one of these columns. */
export function isSortedBy({ sort }: Pick<Query, 'sort'>, columns: readonly string[]): boolean {
  return sort.some(({ sql }) => columns.includes(sql));
}

/** The parameters of a statement, which are added to `values`. */
export function parametersOf({ tenantId }: GroupSource, values: unknown[]): Parameters {
  const bind = (value: unknown): string => `$${values.push(value)}`;
  return { bind, tenant: bind(tenantId) };
}
