import type { DetectionFinding } from '@sluice/ocsf';
import { FINDING_TOTALS_LOCK_CLASS } from '../../db/advisory-locks.ts';
import { arrayLiteral } from '../../db/array-literal.ts';
import { onlyRow } from '../../db/only-row.ts';
import type { Queryable } from '../../db/transaction.ts';
import { NIL_UUID } from '../../lib/nil-uuid.ts';
import { addCounts, type CountTable, insertRows, newRows } from './counted-rows.ts';
import { addFailingChanges, datedChanges, FAILING_CHANGES, mergeOldChanges } from './failing-changes.ts';

// Open findings are counted in four groupings (migration 0024). A frame only inserts its changes, so that frames never wait
// for each other; `foldTotals` adds them to the totals.

/** The columns of a finding by which it is counted. */
const COLUMNS = [
  'provider_id',
  'check_key',
  'facet_key',
  'severity',
  'status',
  'muted',
  'delta',
  'resolved_at',
];

/** The state of a finding in a count; null if it is resolved, because only open findings are counted. */
const COUNT_CODE =
  'case when resolved_at is null then finding_count_code(severity, status, muted, delta) end';

type Counted = Pick<DetectionFinding, 'severity' | 'status' | 'muted'>;

const STATUSES = ['PASS', 'FAIL', 'MANUAL'] as const;

/** The `finding_count_code` (migration 0024) of a new finding. */
export function newCountCode({ severity, status, muted }: Counted): number {
  return severity * 18 + STATUSES.indexOf(status) * 6 + (muted ? 3 : 0);
}

/** How the number of a provider's findings changes: the n-th count is that of the n-th check, facet and code. */
export interface CountChanges {
  readonly providerId: string;
  readonly checkKeys: readonly number[];
  readonly facetKeys: readonly number[];
  /** `finding_count_code` */
  readonly codes: readonly number[];
  readonly counts: readonly number[];
}

/** Records changes, in the open transaction. */
export async function insertChanges(
  client: Queryable,
  tenantId: string,
  changes: readonly CountChanges[],
): Promise<void> {
  if (changes.length === 0) return;
  const values: unknown[] = [tenantId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const rows = changes.map(
    ({ providerId, checkKeys, facetKeys, codes, counts }) =>
      `($1, ${[providerId, ...[checkKeys, facetKeys, codes, counts].map(arrayLiteral)].map(bind).join(', ')})`,
  );
  await client.query(
    `insert into finding_total_changes (tenant_id, provider_id, check_keys, facet_keys, codes, counts)
     values ${rows.join(', ')}`,
    values,
  );
}

/** SQL expression for the count code of finding `f` after the merge of a record. */
export const CURRENT_COUNT_CODE = 'finding_count_code(f.severity, f.status, f.muted, f.delta)';

/** SQL expression for the count code of finding `f` before the merge; null if it was not counted. */
export const PREVIOUS_COUNT_CODE = `case when f.facet_key is not null and f.resolved_at is null
      then ${CURRENT_COUNT_CODE} end`;

/** The columns that `merge` of `withChanges` returns for a row `f`. */
export const MERGED_COLUMNS = ['id', 'record_index', ...COLUMNS, 'replaced_code', 'replaced_facet']
  .map((name) => `f.${name}`)
  .join(', ');

/**
 * Deletes the tenant's findings that the query `ids` returns, with their links to further resources and their events, and
 * records the changes of counts. `$1` in the query is the tenant's id, and `values` are its further parameters.
 */
export async function deleteFindings(
  client: Queryable,
  tenantId: string,
  ids: string,
  values: readonly unknown[],
): Promise<void> {
  await client.query("set local sluice.counts = 'merge'");
  const { rows } = await client.query<CountChanges>(
    `with deleted as (
       delete from findings where tenant_id = $1 and id in (${ids})
       returning id, ${COLUMNS.join(', ')}
     ), links as (
       delete from finding_resources r using deleted d where r.tenant_id = $1 and r.finding_id = d.id
     ), events as (
       delete from finding_events e using deleted d where e.tenant_id = $1 and e.finding_id = d.id
     )
     select provider_id as "providerId", array_agg(check_key::float8) as "checkKeys",
       array_agg(facet_key::float8) as "facetKeys", array_agg(code) as codes, array_agg(count) as counts
     from (
       select provider_id, check_key, facet_key, ${COUNT_CODE} as code, -count(*)::integer as count
       from deleted where facet_key is not null and resolved_at is null group by provider_id, check_key, facet_key, code
     ) as counted group by provider_id`,
    [tenantId, ...values],
  );
  await insertChanges(client, tenantId, rows);
}

/** SQL condition: the merge changed how a row of `merged` is counted. Rows without keys are not counted. */
const IS_CHANGED = `facet_key is not null and (replaced_code is distinct from (${COUNT_CODE}) or replaced_facet is not null)`;

const CHANGES = `select provider_id as "providerId", array_agg(check_key) as "checkKeys", array_agg(facet_key) as "facetKeys",
      array_agg(code) as codes, array_agg(count) as counts from (
      select provider_id, check_key, facet_key, code, sum(count)::integer as count from (
        select provider_id, check_key, facet_key, ${COUNT_CODE} as code, 1 as count
        from merged where resolved_at is null and ${IS_CHANGED}
        union all
        select provider_id, check_key, coalesce(replaced_facet, facet_key), replaced_code, -1
        from merged where replaced_code is not null and ${IS_CHANGED}
      ) as changed group by provider_id, check_key, facet_key, code having sum(count) <> 0
    ) as counted group by provider_id`;

/** What a statement returns about the rows of `merged`. */
interface MergedResult {
  /** Common table expressions that `select` needs. */
  readonly with?: string;
  readonly select: string;
}

/**
 * SQL of a statement that merges rows and records the changes of counts. `merge` returns the merged rows; `$1` is the
 * tenant's id. In a distributed database, which cannot do both, the statement returns the changes as the column
 * `changes`, for `insertChanges`.
 */
export function withChanges(merge: string, result: MergedResult, isDistributed: boolean): string {
  const changes = isDistributed
    ? CHANGES
    : `insert into finding_total_changes (tenant_id, provider_id, check_keys, facet_keys, codes, counts)
       select $1, changes.* from (${CHANGES}) as changes`;
  const others = result.with === undefined ? '' : `, ${result.with}`;
  const returned = isDistributed
    ? ", (select coalesce(json_agg(changes), '[]') from changes) as changes"
    : '';
  return `
  with merged as (${merge}
  ), changes as (${changes})${others}
  select ${result.select}${returned} from merged`;
}

/** The minimum number of pending changes, or of rows with changes, that is worth folding. */
export interface FoldLimits {
  readonly changes: number;
  readonly rows: number;
}

const FINDING_TOTALS: CountTable = {
  name: 'finding_totals',
  key: { grouping: 'smallint', provider_id: 'uuid', check_key: 'bigint' },
  elements: { key: { name: 'keys', type: 'bigint' }, code: { name: 'codes', type: 'smallint' } },
};

/**
 * Adds the pending changes to the totals and to the trend, and returns the new rows of both. Most frames change the same
 * counts, so they are added up before they are grouped.
 */
const FOLD = `
  with changes as materialized (
    delete from finding_total_changes where tenant_id = $1 returning *
  ), summed as materialized (
    select provider_id, starts_at, check_key, facet_key, code, sum(count)::integer as count
    from (${datedChanges('changes', '$1')}) as dated
    cross join lateral unnest(check_keys, facet_keys, codes, counts) as change (check_key, facet_key, code, count)
    group by provider_id, starts_at, check_key, facet_key, code having sum(count) <> 0
  ), sums as (
    select case grouping(check_key, facet_key) when 3 then 4 when 2 then 1 when 1 then 2 else 3 end::smallint as grouping,
      coalesce(provider_id, '${NIL_UUID}') as provider_id,
      case when grouping(provider_id) = 1 then check_key else 0 end as check_key,
      case when grouping(facet_key) = 1 then coalesce(check_key, 0) else facet_key end as key, code, sum(count)::integer as count
    from summed
    group by code, grouping sets ((provider_id, facet_key), (provider_id, check_key), (check_key, facet_key), (provider_id))
    having sum(count) <> 0
  ), ${addCounts('total', FINDING_TOTALS, 'sums')}, ${addFailingChanges('summed')}
  select ${newRows('total')} as totals, ${newRows('failing')} as failing`;

/**
 * Adds the recorded changes to the tenant's totals and trend, in the open transaction. Does nothing if another
 * transaction does it at the moment.
 */
export async function foldTotals(client: Queryable, tenantId: string): Promise<void> {
  const { rows } = await client.query<{ locked: boolean }>(
    'select pg_try_advisory_xact_lock($2, hashtext($1)) as locked',
    [tenantId, FINDING_TOTALS_LOCK_CLASS],
  );
  if (rows[0]?.locked !== true) return;
  const folded = onlyRow(await client.query<{ totals: string; failing: string }>(FOLD, [tenantId]));
  await insertRows(client, tenantId, FINDING_TOTALS, folded.totals);
  await insertRows(client, tenantId, FAILING_CHANGES, folded.failing);
  await mergeOldChanges(client, tenantId);
}

/** Calls `foldTotals` if the pending changes exceed a limit. */
export async function foldPendingTotals(
  client: Queryable,
  tenantId: string,
  limits: FoldLimits,
): Promise<void> {
  const { rows } = await client.query<{ many: boolean }>(
    `select coalesce(sum(length), 0) >= $2 or count(*) >= $3 as many from finding_total_changes where tenant_id = $1`,
    [tenantId, limits.changes, limits.rows],
  );
  if (rows[0]?.many === true) await foldTotals(client, tenantId);
}
