import { TENANT } from '../db/tenant-parameter.ts';
import { FAILING } from './finding-totals.ts';

/**
 * SQL for the finding counts of all of the tenant's checks while findings have no keys (`previous-layout.ts`). Reads
 * the tenant's findings.
 *
 * Groups by provider first. The provider type is a scalar subquery instead of a join: without statistics for newly
 * ingested rows, PostgreSQL chooses a nested loop that compares each of 20,000 groups with each of 20,000 providers.
 * `offset 0` prevents a second evaluation, and the `case` prevents the use of the partial index `providers_live`, which
 * would read all of the tenant's providers for each group. OCSF severity 99, "Other", has no rank.
 */
export const PREVIOUS_CHECK_COUNTS_SQL = `select provider_type, check_id, sum(total)::float8 as total, sum(failing)::float8 as failing,
      coalesce(max(known_severity), max(severity)) as severity
    from (select (select case when p.deleted_at is null then p.type end from providers p
          where p.tenant_id = ${TENANT} and p.id = f.provider_id) as provider_type,
        f.* from (select provider_id, check_id, count(*) as total,
          count(*) filter (where ${FAILING}) as failing,
          max(severity) filter (where severity <> 99) as known_severity, max(severity) as severity
        from findings where tenant_id = ${TENANT} group by provider_id, check_id) as f offset 0) as sums
    where provider_type is not null group by provider_type, check_id`;
