import type { SelectedPage } from '../../db/paging/select-page.ts';
import { withForcedIndexScans, withoutIndexScans } from '../../db/planner-settings.ts';
import type { Queryable } from '../../db/transaction.ts';
import { utcTimestamp } from '../../db/utc-timestamp.ts';
import type { Query } from '../../jsonapi/query.ts';
import { exceptDeletedProviders } from '../../resources/deleted-providers.ts';
import { isOnFailingIndex } from '../../resources/finding-totals.ts';
import { prepareConditions } from '../../resources/prepare-conditions.ts';
import { requireKeys } from '../../resources/previous-layout.ts';
import { labelGroups } from './group-labels.ts';
import { GROUP_BY, type Grouping, type GroupRow, type LabeledGroup } from './group-resource.ts';
import { affectedByGroup, countedGroups, type GroupSource, readFacets, readGroups } from './group-source.ts';
import {
  COUNTS,
  groupStatement,
  isSortedBy,
  type PlacedGroup,
  parametersOf,
  withoutAffected,
} from './group-statement.ts';
import { selectResourceGroups } from './resource-groups.ts';

/** The attributes that are read from the failing findings of the page's groups. */
const AFFECTED = ['accounts', 'resources', 'oldest_failing_at'] as const;

/** Selects a page of groups of the findings that match the query's filters. */
export async function listGroups(
  client: Queryable,
  tenantId: string,
  query: Query,
  fields: ReadonlySet<string> | undefined,
): Promise<SelectedPage<LabeledGroup>> {
  await requireKeys(client, tenantId);
  const by = groupingOf(query);
  const live = await exceptDeletedProviders(client, tenantId, 'findings');
  const conditions = [...live, ...(await prepareConditions(client, tenantId, query.conditions))];
  const source = { tenantId, by, conditions, facets: await readFacets(client, tenantId, by) };
  const page = await selectGroups(client, source, query);
  const missing = page.missing.filter((name) => fields === undefined || fields.has(name));
  const rows = missing.length === 0 ? page.rows : await withAffected(client, source, { ...page, missing });
  const labelOf = await labelGroups(client, tenantId, by, rows);
  const labeled = rows.map((row) => ({ by, row, label: labelOf(row), filters: query.filters }));
  return { rows: labeled, count: page.count, next: null };
}

function groupingOf(query: Query): Grouping {
  const by = GROUP_BY.find((grouping) => grouping === query.options.get('by'));
  if (by === undefined) throw new TypeError('by is required');
  return by;
}

interface GroupPage {
  readonly rows: readonly GroupRow[];
  readonly count: number;
  /** The attributes in `AFFECTED` that the rows do not have yet. */
  readonly missing: readonly (typeof AFFECTED)[number][];
}

/**
 * To sort by the number of resources or by the oldest time, all failing findings must be read. Their rows are appended
 * to the counts, because PostgreSQL may choose a slow join.
 */
async function selectGroups(client: Queryable, source: GroupSource, query: Query): Promise<GroupPage> {
  const values: unknown[] = [];
  const parameters = parametersOf(source, values);
  const isSorted = (...columns: string[]) => isSortedBy(query, columns);
  const hasAffected = isSorted('resources', 'oldest');
  if (source.by === 'resource' && !hasAffected && !isSorted('accounts'))
    return { ...(await selectResourceGroups(client, source, query)), missing: AFFECTED };
  const byAccount = countedGroups(source, parameters, true);
  const stored = byAccount ?? (isSorted('accounts') ? undefined : countedGroups(source, parameters, false));
  // A resource has one account, so only the groups of the page need it.
  const readsAccounts = source.by !== 'resource' || isSorted('accounts');
  const affected = hasAffected
    ? `union all select key, null, null, null, null, null, resources, oldest
      from (${affectedByGroup(source, parameters, { withAccounts: false })}) as affected`
    : '';
  const parts = `${withoutAffected(stored ?? readGroups(source, parameters, readsAccounts))} ${affected}`;
  const text = groupStatement(source, parameters, query, parts, Object.keys(COUNTS));
  const select = () => client.query<PlacedGroup>(text, values);
  const { rows } = await (stored !== undefined && hasAffected
    ? readFailing(client, source, select)
    : withoutIndexScans(client, select));
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
    const options = { withAccounts: missing.includes('accounts'), keys: failing.map(({ key }) => key) };
    const text = `select key::text, resources::float8, accounts::float8, ${utcTimestamp('oldest')} as oldest_failing_at
      from (${affectedByGroup(source, parameters, options)}) as affected`;
    const found = await readFailing(client, source, () =>
      client.query<Pick<GroupRow, 'key' | (typeof AFFECTED)[number]>>(text, values),
    );
    for (const row of found.rows) affected.set(row.key, row);
  }
  const none = { accounts: 0, resources: 0, oldest_failing_at: null };
  return rows.map((row) => {
    const found = affected.get(row.key) ?? none;
    return { ...row, ...Object.fromEntries(missing.map((name) => [name, found[name]])) };
  });
}

/** Reads failing findings from `findings_failing` if it has all columns of the conditions. */
async function readFailing<Result>(
  client: Queryable,
  { by, conditions }: GroupSource,
  read: () => Promise<Result>,
): Promise<Result> {
  // `findings_resource` leads to the findings of the page's resources.
  return by !== 'resource' && isOnFailingIndex(conditions)
    ? await withForcedIndexScans(client, read)
    : await withoutIndexScans(client, read);
}
