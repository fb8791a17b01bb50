import { FINDING_TOTALS_LOCK_CLASS } from '../../db/advisory-locks.ts';
import type { Queryable } from '../../db/transaction.ts';

// Findings are counted in three groupings (migration 0024). A frame only inserts its changes, so that frames never wait
// for each other; `foldTotals` adds them to the totals.

/** The columns of `finding_total_changes` by which findings are counted. */
const COLUMNS = 'provider_id, check_key, facet_key, severity, status, muted, delta';

/** Records the changes of a frame that inserted all of its rows. */
export async function countInserted(client: Queryable, tenantId: string): Promise<void> {
  await client.query(
    `insert into finding_total_changes (tenant_id, ${COLUMNS}, count)
     select $1, provider_id, check_key, facet_key, severity, status, muted, 'new', count(*) from incoming
     group by provider_id, check_key, facet_key, severity, status, muted`,
    [tenantId],
  );
}

/** The columns that `merge` of `withChanges` returns for a row `f`. */
export const MERGED_COLUMNS = [
  'id',
  'scan_id',
  'record_index',
  ...COLUMNS.split(', '),
  'replaced_code',
  'replaced_facet',
]
  .map((name) => `f.${name}`)
  .join(', ');

/** SQL condition: the merge changed how a row of `merged` is counted. Rows without keys are not counted. */
const IS_CHANGED = `facet_key is not null
  and (replaced_code is distinct from finding_count_code(severity, status, muted, delta) or replaced_facet is not null)`;

/**
 * SQL of a statement that merges rows, records the changes of counts, and ends with `select`. `merge` returns the merged
 * rows; `$1` is the tenant's id.
 */
export function withChanges(merge: string, select: string): string {
  return `
  with merged as (${merge}
  ), changes as (
    insert into finding_total_changes (tenant_id, ${COLUMNS}, count)
    select $1, ${COLUMNS}, sum(count) from (
      select ${COLUMNS}, 1 as count from merged where ${IS_CHANGED}
      union all
      select provider_id, check_key, coalesce(replaced_facet, facet_key), replaced_code / 18,
        case replaced_code % 18 / 6 when 0 then 'PASS' when 1 then 'FAIL' else 'MANUAL' end::finding_status,
        replaced_code % 6 / 3 = 1,
        case replaced_code % 3 when 0 then 'new' when 1 then 'changed' else 'unchanged' end::finding_delta, -1
      from merged where replaced_code is not null and ${IS_CHANGED}
    ) as counted group by ${COLUMNS} having sum(count) <> 0
  )${select}`;
}

const STATE = 'severity, status, muted, delta';

const FOLD = `
  with changes as materialized (
    delete from finding_total_changes where tenant_id = $1 returning *
  ), sums as (
    select case when grouping(check_key) = 1 then 1 when grouping(facet_key) = 1 then 2 else 3 end as grouping,
      coalesce(provider_id, '00000000-0000-0000-0000-000000000000') as provider_id, coalesce(check_key, 0) as check_key,
      coalesce(facet_key, 0) as facet_key, ${STATE}, sum(count) as count
    from changes
    group by ${STATE}, grouping sets ((provider_id, facet_key), (provider_id, check_key), (check_key, facet_key))
    having sum(count) <> 0
  )
  insert into finding_totals as t (tenant_id, grouping, provider_id, check_key, facet_key, ${STATE}, count)
  select $1, * from sums order by grouping, check_key, provider_id, facet_key, ${STATE}
  on conflict (tenant_id, grouping, check_key, provider_id, facet_key, ${STATE})
    do update set count = t.count + excluded.count`;

/**
 * Adds the recorded changes to the tenant's totals, in the open transaction. Does nothing if another transaction does
 * it at the moment.
 */
export async function foldTotals(client: Queryable, tenantId: string): Promise<void> {
  const { rows } = await client.query<{ locked: boolean }>(
    'select pg_try_advisory_xact_lock($2, hashtext($1)) as locked',
    [tenantId, FINDING_TOTALS_LOCK_CLASS],
  );
  if (rows[0]?.locked !== true) return;
  await client.query(FOLD, [tenantId]);
  await client.query('delete from finding_totals where tenant_id = $1 and count = 0', [tenantId]);
}
