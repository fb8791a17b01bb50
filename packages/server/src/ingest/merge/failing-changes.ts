import { onlyRow } from '../../db/only-row.ts';
import type { Queryable } from '../../db/transaction.ts';
import { startOfPeriod } from '../../db/utc-timestamp.ts';
import { NIL_UUID } from '../../lib/nil-uuid.ts';
import { addCounts, type CountTable, insertRows, newRows } from './counted-rows.ts';

// The changes of failing findings, from which the trend is computed (migration 0037).

/** Number of hours for which changes are kept by the hour. Afterwards, they are merged into days. */
export const TREND_MAX_HOURS = 48;
/** Number of days for which changes are kept. */
export const TREND_MAX_DAYS = 400;

export const FAILING_CHANGES: CountTable = {
  name: 'failing_finding_changes',
  key: { grouping: 'smallint', provider_id: 'uuid', starts_at: 'timestamptz', is_day: 'boolean' },
  elements: {
    check_key: { name: 'check_keys', type: 'bigint', isOptional: true },
    facet_key: { name: 'facet_keys', type: 'bigint', isOptional: true },
    severity: { name: 'severities', type: 'smallint' },
  },
};

/** SQL condition on a `finding_count_code`: the finding has the status FAIL and is not muted. */
export const IS_FAILING_CODE = 'code % 18 / 3 = 2';

/** SQL for the severity in a `finding_count_code`. */
export const CODE_SEVERITY = '(code / 18)::smallint';

/**
 * SQL query for these changes, a table expression, with their hour as `starts_at`. A deleted provider has no findings
 * from its deletion on, so its later changes, which are those of the removal of its findings and of frames that were in
 * progress, belong to the hour of the deletion.
 */
export function datedChanges(changes: string, tenant: string): string {
  const hour = `least(${startOfPeriod('hour', 'c.inserted_at')}, ${startOfPeriod('hour', 'p.deleted_at')})`;
  return `select c.*, ${hour} as starts_at from ${changes} as c
    left join lateral (
      select deleted_at from providers where tenant_id = ${tenant} and id = c.provider_id and deleted_at is not null offset 0
    ) as p on true
    where c.tenant_id = ${tenant} offset 0`;
}

/**
 * Common table expressions that add changes to those of failing findings. `changes` is a table expression with one row for
 * each provider, hour (`starts_at`), check, facet and code.
 */
export const addFailingChanges = (changes: string) => `failing_details as materialized (
    select provider_id, starts_at, check_key, facet_key, ${CODE_SEVERITY} as severity, sum(count)::integer as count
    from ${changes} where ${IS_FAILING_CODE}
    group by provider_id, starts_at, check_key, facet_key, severity having sum(count) <> 0
  ), failing_sums as (
    select case grouping(provider_id, check_key, facet_key) when 7 then 0 when 5 then 1 when 6 then 2 when 3 then 3 else 4 end::smallint
        as grouping,
      coalesce(provider_id, '${NIL_UUID}') as provider_id, starts_at, false as is_day, check_key, facet_key, severity,
      sum(count)::integer as count
    from failing_details
    group by starts_at, severity,
      grouping sets ((), (check_key), (facet_key), (provider_id), (provider_id, check_key, facet_key))
    having sum(count) <> 0
  ), ${addCounts('failing', FAILING_CHANGES, 'failing_sums')}`;

/** The first day whose changes are kept. */
const OLDEST_DAY = startOfPeriod('day', `(now() - interval '${TREND_MAX_DAYS} days')`);
/** The first day whose changes are kept by the hour. */
const FIRST_DAY_OF_HOURS = startOfPeriod('day', `(now() - interval '${TREND_MAX_HOURS} hours')`);

const MERGE_HOURS = `
  with expired as (
    delete from failing_finding_changes where tenant_id = $1 and is_day and starts_at < ${OLDEST_DAY}
  ), hours as materialized (
    delete from failing_finding_changes where tenant_id = $1 and not is_day and starts_at < ${FIRST_DAY_OF_HOURS} returning *
  ), sums as (
    select grouping, provider_id, ${startOfPeriod('day', 'starts_at')} as starts_at, true as is_day, change.*
    from hours cross join lateral unnest(check_keys, facet_keys, severities, counts) as change (check_key, facet_key, severity, count)
    where starts_at >= ${OLDEST_DAY}
  ), ${addCounts('days', FAILING_CHANGES, 'sums')}
  select ${newRows('days')} as days`;

/**
 * Merges the changes of hours into days if they are too old for hourly points, and removes those that are too old for
 * the trend. No other transaction may change them in the meantime.
 */
export async function mergeOldChanges(client: Queryable, tenantId: string): Promise<void> {
  const { days } = onlyRow(await client.query<{ days: string }>(MERGE_HOURS, [tenantId]));
  await insertRows(client, tenantId, FAILING_CHANGES, days);
}
