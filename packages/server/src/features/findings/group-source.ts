import type { Queryable } from '../../db/transaction.ts';
import type { Condition } from '../../jsonapi/filters.ts';
import { countedFindings, FAILING, type FindingDimension } from '../../resources/finding-totals.ts';
import type { Grouping } from './group-resource.ts';

/** How findings are grouped: the column that determines the group, and its dimension in the totals. */
const COLUMNS: Readonly<
  Record<Grouping, { readonly column: string; readonly type: string; readonly dimension?: FindingDimension }>
> = {
  check: { column: 'check_key', type: 'bigint', dimension: 'check' },
  resource: { column: 'resource_key', type: 'bigint' },
  account: { column: 'provider_id', type: 'uuid', dimension: 'provider' },
  service: { column: 'facet_key', type: 'bigint', dimension: 'facet' },
  region: { column: 'facet_key', type: 'bigint', dimension: 'facet' },
};

/** The findings that are grouped. */
export interface GroupSource {
  readonly tenantId: string;
  readonly by: Grouping;
  readonly conditions: readonly Condition[];
  /** For services and regions: the values of all facets. */
  readonly facets: readonly Facet[];
}

interface Facet {
  readonly key: string;
  readonly value: string | null;
}

/** Adds parameters to a statement. */
export interface Parameters {
  readonly bind: (value: unknown) => string;
  readonly tenant: string;
}

/** Reads the values of the tenant's facets. There are few of them, and passing them prevents a slow join. */
export async function readFacets(
  client: Queryable,
  tenantId: string,
  by: Grouping,
): Promise<readonly Facet[]> {
  if (!hasFacets(by)) return [];
  const { rows } = await client.query<Facet>(
    `select key, ${by} as value from finding_facets where tenant_id = $1`,
    [tenantId],
  );
  return rows;
}

/** The keys of groups; null for findings without a value. */
type GroupKeys = readonly (string | null)[];

/**
 * SQL for the counts by group, severity, status and muting, and also by provider if `withAccounts`; `undefined` if the
 * totals do not support the conditions.
 */
export function countedGroups(
  source: GroupSource,
  { bind, tenant }: Parameters,
  withAccounts: boolean,
): string | undefined {
  const { dimension } = COLUMNS[source.by];
  if (dimension === undefined) return undefined;
  const dimensions: readonly FindingDimension[] = withAccounts ? [dimension, 'provider'] : [dimension];
  const counted = countedFindings(source.conditions, dimensions, bind, tenant);
  if (counted === undefined) return undefined;
  return sumUp(source, bind, withAccounts, `select * from ${counted}`, 'sum(count)');
}

/**
 * Like `countedGroups`, but reads the findings, which supports all conditions. `keys` restricts it to these groups.
 */
export function readGroups(
  source: GroupSource,
  { bind, tenant }: Parameters,
  withAccounts: boolean,
  keys?: GroupKeys,
): string {
  const columns = [...(withAccounts ? ['provider_id'] : []), 'severity', 'status', 'muted'];
  const rows = matchingFindings(source, columns, { bind, tenant }, { keys });
  return sumUp(source, bind, withAccounts, rows, 'count(*)');
}

/**
 * SQL for the matching findings, or only for those that fail, with their resource as the key of their group and with
 * the columns of `readGroups`.
 */
export function readByResource(source: GroupSource, parameters: Parameters, isFailing: boolean): string {
  const rows = matchingFindings(source, ['severity', 'status', 'muted'], parameters, { isFailing });
  return `select resource_key as key, null::uuid as provider_id, severity, status, muted, 1 as count from (${rows}) as counted`;
}

/**
 * SQL for the distinct resources of the matching findings: one row for each, and one for findings without a resource.
 */
export function resourcesOfFindings(source: GroupSource, parameters: Parameters): string {
  return `select from (${matchingFindings(source, [], parameters, {})}) as matching group by resource_key`;
}

function sumUp(
  { by, facets }: GroupSource,
  bind: (value: unknown) => string,
  withAccounts: boolean,
  rows: string,
  count: string,
): string {
  const provider = withAccounts ? 'provider_id' : 'null::uuid';
  return `select ${keyOf(by)} as key, ${provider} as provider_id, severity, status, muted, ${count} as count
    from (${rows}) as counted ${joinFacets(by, facets, bind)}
    group by ${keyOf(by)}, ${withAccounts ? 'provider_id, ' : ''}severity, status, muted`;
}

/**
 * SQL for the number of resources with failing findings, the number of accounts with failing findings (if
 * `withAccounts`), and the time of the oldest failing finding, by group. `keys` restricts it to these groups.
 */
export function affectedByGroup(
  source: GroupSource,
  { bind, tenant }: Parameters,
  { withAccounts, keys }: { readonly withAccounts: boolean; readonly keys?: GroupKeys },
): string {
  const { by, facets } = source;
  const columns = ['resource_key', 'status_changed_at', ...(withAccounts ? ['provider_id'] : [])];
  const matching = matchingFindings(source, columns, { bind, tenant }, { isFailing: true, keys });
  const key = keyOf(by);
  const provider = withAccounts ? ', provider_id' : '';
  // Grouping by numbers first is faster than looking up the text of each finding.
  const failing = hasFacets(by)
    ? `select facet_key, resource_key${provider}, min(status_changed_at) as status_changed_at
       from (${matching}) as matching group by facet_key, resource_key${provider}`
    : matching;
  const accounts = withAccounts ? 'count(distinct provider_id)' : 'null::bigint';
  return `select key, count(resource_key) as resources, ${accounts} as accounts, min(oldest) as oldest
    from (select ${key} as key, resource_key${provider}, min(status_changed_at) as oldest
      from (${failing}) as counted ${joinFacets(by, facets, bind)} group by ${key}, resource_key${provider}) as affected
    group by key`;
}

/**
 * SQL for the matching findings with the column of their group: only those that fail if `isFailing`, and only those of
 * these groups if there are `keys`. A finding that refers to several resources is returned once for each of them if the
 * resource is required.
 */
function matchingFindings(
  source: GroupSource,
  columns: readonly string[],
  { bind, tenant }: Parameters,
  { isFailing = false, keys }: { readonly isFailing?: boolean; readonly keys?: GroupKeys | undefined },
): string {
  const names = [...new Set([COLUMNS[source.by].column, ...columns])];
  const whereOf = (resource: string) =>
    [
      ...source.conditions.map(({ sql }) => sql(bind, tenant)),
      ...(isFailing ? [FAILING] : []),
      ...(keys === undefined ? [] : [ofGroups(source, keys, resource, bind)]),
    ]
      .map((condition) => ` and ${condition}`)
      .join('');
  const select = (resource: string) =>
    `select ${names.map((name) => (name === 'resource_key' ? resource : `findings.${name}`)).join(', ')}`;
  const first = 'findings.resource_key';
  const further = 'links.resource_key';
  const findings = `${select(first)} from findings where findings.tenant_id = ${tenant}${whereOf(first)}`;
  if (!names.includes('resource_key')) return findings;
  return `${findings}
    union all ${select(further)} from finding_resources as links
    cross join lateral (select * from findings
      where findings.tenant_id = ${tenant} and findings.id = links.finding_id offset 0) as findings
    where links.tenant_id = ${tenant}${whereOf(further)}`;
}

/** Above this part of the facets, all findings are read. */
const MAX_SELECTED_PART = 0.25;

/**
 * The condition for the findings of these groups, and possibly further ones. `resource` is the column with the key of
 * the resource.
 */
function ofGroups(
  { by, facets }: GroupSource,
  keys: GroupKeys,
  resource: string,
  bind: (value: unknown) => string,
): string {
  const { column, type } = COLUMNS[by];
  const values = hasFacets(by)
    ? facets.filter(({ value }) => keys.includes(value)).map(({ key }) => key)
    : keys.filter((key) => key !== null);
  // The index leads to few of the groups faster than to most of them.
  if (hasFacets(by) && values.length > facets.length * MAX_SELECTED_PART) return 'true';
  const among = `${by === 'resource' ? resource : `findings.${column}`} = any(${bind(values)}::${type}[])`;
  return by === 'resource' && keys.includes(null) ? `(${among} or ${resource} is null)` : among;
}

function hasFacets(by: Grouping): by is 'service' | 'region' {
  return by === 'service' || by === 'region';
}

function keyOf(by: Grouping): string {
  return hasFacets(by) ? 'facets.value' : `counted.${COLUMNS[by].column}`;
}

function joinFacets(by: Grouping, facets: readonly Facet[], bind: (value: unknown) => string): string {
  if (!hasFacets(by)) return '';
  const [keys, values] = [facets.map(({ key }) => key), facets.map(({ value }) => value)];
  // Values are only grouped: PostgreSQL sorts them, and comparing bytes is faster than the rules of a language.
  return `join (select key, value collate "C" as value
      from unnest(${bind(keys)}::bigint[], ${bind(values)}::text[]) as known (key, value)) as facets
    on facets.key = counted.facet_key`;
}
