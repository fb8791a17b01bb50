import type { Severity } from '@sluice/ocsf';
import { TENANT } from '../db/tenant-parameter.ts';
import type { Queryable } from '../db/transaction.ts';
import type { Condition } from '../jsonapi/filters.ts';
import { type CheckIdentity, checkKey } from './check-key.ts';
import { countedFindings, FAILING } from './finding-totals.ts';
import { PREVIOUS_CHECK_COUNTS_SQL } from './previous-check-counts.ts';
import { lacksKeys } from './previous-layout.ts';

export interface CheckCounts {
  readonly total: number;
  /** Number of findings with the status FAIL that are not muted. */
  readonly failing: number;
  /** Highest severity of the check's findings; null if there are no findings. */
  readonly severity: Severity | null;
}

/** Attributes that are computed from findings. All other attributes are columns of the check. */
const COUNTED = ['findings', 'severity'] as const;

/** Whether any of these attributes (`undefined` for all of them) requires finding counts. */
export function needsCheckCounts(fields: ReadonlySet<string> | undefined): boolean {
  return fields === undefined || COUNTED.some((name) => fields.has(name));
}

const NO_FINDINGS: CheckCounts = { total: 0, failing: 0, severity: null };

/** Excludes the findings of deleted providers until they are removed in the background. */
const isLive = () =>
  `findings.provider_id <> all(array(select provider_id from provider_removals where tenant_id = ${TENANT}))`;
const LIVE: Condition = { sql: isLive, countsSql: isLive, dimensions: ['provider'] };

/**
 * SQL for the finding counts of all of the tenant's checks, with the columns of `CheckIdentity` and `CheckCounts`. OCSF
 * severity 99, "Other", has no rank.
 */
export async function allCheckCountsSql(client: Queryable, tenantId: string): Promise<string> {
  return (await lacksKeys(client, tenantId)) ? PREVIOUS_CHECK_COUNTS_SQL : countsOf();
}

/** Counts the findings of these checks across all of the tenant's live providers. */
export async function countFindingsByCheck(
  client: Queryable,
  tenantId: string,
  checks: readonly (CheckIdentity & { readonly key: string })[],
): Promise<(check: CheckIdentity) => CheckCounts> {
  if (checks.length === 0) return () => NO_FINDINGS;
  const keys = checks.map(({ key }) => key);
  const { rows } = (await lacksKeys(client, tenantId))
    ? await client.query<CheckIdentity & CheckCounts>(PREVIOUS_CHECK_COUNTS_SQL, [tenantId])
    : await client.query<CheckIdentity & CheckCounts>(countsOf('$2::bigint[]'), [tenantId, keys]);
  const counts = new Map(rows.map((row) => [checkKey(row), row]));
  return (check) => counts.get(checkKey(check)) ?? NO_FINDINGS;
}

/**
 * The checks are looked up one by one, because a join might compare each of them with all counts (see
 * `providerSubquery`).
 */
function countsOf(keys?: string): string {
  const ofChecks = () => `findings.check_key = any(${keys})`;
  const conditions =
    keys === undefined ? [LIVE] : [LIVE, { sql: ofChecks, countsSql: ofChecks, dimensions: ['check'] }];
  return `select identity.provider_type, identity.check_id, total::float8 as total, failing::float8 as failing,
      coalesce(known_severity, severity) as severity
    from (select check_key, sum(count) as total, sum(failing) as failing,
        max(severity) filter (where severity <> 99) as known_severity, max(severity) as severity
      from (select check_key, severity, sum(count) as count,
          coalesce(sum(count) filter (where ${FAILING}), 0) as failing
        from ${countedFindings(conditions, ['check'], () => '', TENANT)}
        group by check_key, severity having sum(count) > 0) as by_severity
      group by check_key offset 0) as counts
    cross join lateral (select provider_type, check_id from checks
      where checks.tenant_id = ${TENANT} and checks.key = counts.check_key offset 0) as identity`;
}
