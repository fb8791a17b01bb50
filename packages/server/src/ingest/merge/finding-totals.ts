import { FINDING_TOTALS_LOCK_CLASS } from '../../db/advisory-locks.ts';
import type { Queryable } from '../../db/transaction.ts';

// Findings are counted in four groupings (migration 0024). A frame only inserts its changes, so that frames never wait
// for each other; `foldTotals` adds them to the totals.

/** The columns of a finding by which it is counted. */
const COLUMNS = ['provider_id', 'check_key', 'facet_key', 'severity', 'status', 'muted', 'delta'];

/** The state of a finding in a count. */
const COUNT_CODE = 'finding_count_code(severity, status, muted, delta)';

/** SQL that inserts changes. `counted` selects the provider, the check, the facet, the code and the count of each. */
const insertChanges = (counted: string) => `
    insert into finding_total_changes (tenant_id, provider_id, check_keys, facet_keys, codes, counts)
    select $1, provider_id, array_agg(check_key), array_agg(facet_key), array_agg(code), array_agg(count)
    from (${counted}) as counted group by provider_id`;

/** Records the changes of a frame that inserted all of its rows. */
export async function countInserted(client: Queryable, tenantId: string): Promise<void> {
  await client.query(
    insertChanges(
      `select provider_id, check_key, facet_key, finding_count_code(severity, status, muted, 'new') as code,
         count(*)::integer as count
       from incoming group by provider_id, check_key, facet_key, code`,
    ),
    [tenantId],
  );
}

/** SQL expression for the count code of finding `f` before the merge; null if it was not counted. */
export const PREVIOUS_COUNT_CODE = `case when f.facet_key is not null
      then finding_count_code(f.severity, f.status, f.muted, f.delta) end`;

/** The columns that `merge` of `withChanges` returns for a row `f`. */
export const MERGED_COLUMNS = ['id', 'scan_id', 'record_index', ...COLUMNS, 'replaced_code', 'replaced_facet']
  .map((name) => `f.${name}`)
  .join(', ');

/**
 * Deletes the tenant's findings that the query `ids` returns, with their links to further resources, and records the
 * changes of counts. `$1` in the query is the tenant's id, and `values` are its further parameters.
 */
export async function deleteFindings(
  client: Queryable,
  tenantId: string,
  ids: string,
  values: readonly unknown[],
): Promise<void> {
  await client.query("set local sluice.counts = 'merge'");
  await client.query(
    `with deleted as (
       delete from findings where tenant_id = $1 and id in (${ids})
       returning id, ${COLUMNS.join(', ')}
     ), links as (
       delete from finding_resources r using deleted d where r.tenant_id = $1 and r.finding_id = d.id
     )${insertChanges(
       `select provider_id, check_key, facet_key, ${COUNT_CODE} as code, -count(*)::integer as count
        from deleted where facet_key is not null group by provider_id, check_key, facet_key, code`,
     )}`,
    [tenantId, ...values],
  );
}

/** SQL condition: the merge changed how a row of `merged` is counted. Rows without keys are not counted. */
const IS_CHANGED = `facet_key is not null and (replaced_code is distinct from ${COUNT_CODE} or replaced_facet is not null)`;

/**
 * SQL of a statement that merges rows, records the changes of counts, and ends with `select`. `merge` returns the
 * merged rows; `$1` is the tenant's id.
 */
export function withChanges(merge: string, select: string): string {
  return `
  with merged as (${merge}
  ), changes as (${insertChanges(`
      select provider_id, check_key, facet_key, code, sum(count)::integer as count from (
        select provider_id, check_key, facet_key, ${COUNT_CODE} as code, 1 as count from merged where ${IS_CHANGED}
        union all
        select provider_id, check_key, coalesce(replaced_facet, facet_key), replaced_code, -1
        from merged where replaced_code is not null and ${IS_CHANGED}
      ) as changed group by provider_id, check_key, facet_key, code having sum(count) <> 0`)}
  )${select}`;
}

/** The minimum number of pending changes, or of rows with changes, that is worth folding. */
export interface FoldLimits {
  readonly changes: number;
  readonly rows: number;
}

const FOLD = `
  with changes as materialized (
    delete from finding_total_changes where tenant_id = $1 returning *
  ), sums as materialized (
    select case grouping(check_key, facet_key) when 3 then 4 when 2 then 1 when 1 then 2 else 3 end::smallint as grouping,
      coalesce(provider_id, '00000000-0000-0000-0000-000000000000') as provider_id,
      case when grouping(provider_id) = 1 then check_key else 0 end as check_key,
      case when grouping(facet_key) = 1 then coalesce(check_key, 0) else facet_key end as key, code, sum(count)::integer as count
    from changes cross join lateral unnest(check_keys, facet_keys, codes, counts) as change (check_key, facet_key, code, count)
    group by code, grouping sets ((provider_id, facet_key), (provider_id, check_key), (check_key, facet_key), (provider_id))
    having sum(count) <> 0
  ), known as materialized (
    select t.* from (select distinct grouping, provider_id, check_key from sums) as s
    join finding_totals t on t.tenant_id = $1 and t.grouping = s.grouping and t.provider_id = s.provider_id
      and t.check_key = s.check_key
  ), totals as materialized (
    select grouping, provider_id, check_key, array_agg(key) as keys, array_agg(code) as codes, array_agg(count) as counts
    from (
      select grouping, provider_id, check_key, key, code, sum(count)::integer as count from (
        select * from sums
        union all
        select grouping, provider_id, check_key, total.*
        from known cross join lateral unnest(keys, codes, counts) as total (key, code, count)
      ) as counted group by grouping, provider_id, check_key, key, code having sum(count) <> 0
    ) as summed group by grouping, provider_id, check_key
  ), emptied as (
    delete from finding_totals t using known k
    where t.tenant_id = $1 and t.grouping = k.grouping and t.provider_id = k.provider_id and t.check_key = k.check_key
      and not exists (select from totals
        where (grouping, provider_id, check_key) = (k.grouping, k.provider_id, k.check_key))
  )
  insert into finding_totals as t (tenant_id, grouping, provider_id, check_key, keys, codes, counts)
  select $1, * from totals
  on conflict (tenant_id, grouping, provider_id, check_key)
    do update set keys = excluded.keys, codes = excluded.codes, counts = excluded.counts`;

/**
 * Adds the recorded changes to the tenant's totals, in the open transaction. Does nothing if another transaction does
 * it at the moment.
 */
export async function foldTotals(client: Queryable, tenantId: string): Promise<void> {
  const { rows } = await client.query<{ locked: boolean }>(
    'select pg_try_advisory_xact_lock($2, hashtext($1)) as locked',
    [tenantId, FINDING_TOTALS_LOCK_CLASS],
  );
  if (rows[0]?.locked === true) await client.query(FOLD, [tenantId]);
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
