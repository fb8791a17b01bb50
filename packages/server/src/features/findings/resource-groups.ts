import { SEVERITIES } from '@sluice/ocsf';
import { withForcedIndexScans, withoutIndexScans } from '../../db/planner-settings.ts';
import type { Queryable } from '../../db/transaction.ts';
import type { Query } from '../../jsonapi/query.ts';
import { withoutNeedlessState } from '../../resources/finding-state.ts';
import { isOnFailingIndex } from '../../resources/finding-totals.ts';
import { type GroupRow, severityColumn } from './group-resource.ts';
import { type GroupSource, readByResource, readGroups, resourcesOfFindings } from './group-source.ts';
import {
  COUNTS,
  groupStatement,
  isSortedBy,
  type PlacedGroup,
  parametersOf,
  tiesOf,
  withoutAffected,
} from './group-statement.ts';

interface ResourceGroups {
  readonly rows: readonly GroupRow[];
  readonly count: number;
}

/**
 * Selects a page of groups by resource. There can be many resources, so only the sort values are read for all of them;
 * the counts are read for the page.
 */
export async function selectResourceGroups(
  client: Queryable,
  source: GroupSource,
  query: Query,
): Promise<ResourceGroups> {
  const { keys, count } =
    (await selectFailing(client, source, query)) ?? (await selectFromAll(client, source, query));
  if (keys.length === 0) return { rows: [], count };
  const values: unknown[] = [];
  const parameters = parametersOf(source, values);
  const parts = withoutAffected(readGroups(source, parameters, false, keys));
  const page = { ...query.page, number: 1 };
  const text = groupStatement(source, parameters, { ...query, page }, parts, Object.keys(COUNTS));
  const { rows } = await client.query<PlacedGroup>(text, values);
  return { rows, count };
}

interface SelectedResources {
  /** The keys of the page's resources; null for findings without a resource. */
  readonly keys: readonly (string | null)[];
  /** The number of groups. */
  readonly count: number;
}

async function selectFromAll(
  client: Queryable,
  source: GroupSource,
  query: Query,
): Promise<SelectedResources> {
  const rows = await withoutIndexScans(client, () => selectSorted(client, source, query, false));
  const keys = rows.filter(({ place }) => place !== null).map(({ key }) => key);
  return { keys, count: rows[0]?.groups ?? 0 };
}

/** The counts of failing findings. Groups without any of them come last in descending order. */
const FAILING_COUNTS: readonly string[] = ['failing', ...SEVERITIES.map(severityColumn)];

/**
 * Reads only the failing findings, from their index. Returns `undefined` if the conditions require other columns, or if
 * the order or the page also depends on other findings.
 */
async function selectFailing(
  client: Queryable,
  source: GroupSource,
  query: Query,
): Promise<SelectedResources | undefined> {
  const [first = { sql: 'failing', descending: true }] = query.sort;
  const isByFailing = first.descending && query.sort.every(({ sql }) => FAILING_COUNTS.includes(sql));
  if (!isByFailing || !isOnFailingIndex(source.conditions)) return undefined;
  const rows = await withForcedIndexScans(client, () => selectSorted(client, source, query, true));
  const last = rows[query.page.size - 1];
  if (last === undefined || !(Number(last[first.sql]) > 0)) return undefined;
  return { keys: rows.map(({ key }) => key), count: await countResources(client, source) };
}

async function selectSorted(
  client: Queryable,
  source: GroupSource,
  query: Query,
  isFailing: boolean,
): Promise<readonly PlacedGroup[]> {
  const values: unknown[] = [];
  const parameters = parametersOf(source, values);
  const sort = [...query.sort, ...tiesOf(source.by)];
  const counts = Object.keys(COUNTS).filter((name) => isSortedBy({ sort }, [name]));
  const parts = withoutAffected(readByResource(source, parameters, isFailing));
  const text = groupStatement(source, parameters, query, parts, counts);
  return (await client.query<PlacedGroup>(text, values)).rows;
}

async function countResources(client: Queryable, source: GroupSource): Promise<number> {
  const conditions = await withoutNeedlessState(client, source.tenantId, source.conditions);
  const counted = { ...source, conditions };
  const values: unknown[] = [];
  const text = `select count(*)::float8 as count
    from (${resourcesOfFindings(counted, parametersOf(counted, values))}) as groups`;
  const count = async () => (await client.query<{ count: number }>(text, values)).rows[0]?.count ?? 0;
  // Without conditions, the index on resources has all columns.
  return conditions.length === 0
    ? await withForcedIndexScans(client, count)
    : await withoutIndexScans(client, count);
}
