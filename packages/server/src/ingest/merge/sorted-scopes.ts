import { NIL_UUID } from '../../lib/nil-uuid.ts';
import { ALL_CHECKS } from './coverage-scopes.ts';

/** SQL for the ingestion that resolves the findings of a coverage `c`; null if a user does. */
export const RESOLVED_BY = 'case when not c.is_manual then c.ingestion_id end';

/** SQL for the order of coverages with the same time. Users come first. */
export const tieBreakerOf = (ingestionId: string) => `coalesce(${ingestionId}, '${NIL_UUID}')`;

const sorted = (value: string) => `array_agg(${value} order by u.time, ${tieBreakerOf(RESOLVED_BY)})`;

/**
 * SQL for the scopes of a tenant ($1) after findings `f` with the columns `provider_id`, `check_key` and `since`: a row per
 * provider, product and check, with their `times` in ascending order, and the uploads and coverages of these. So each
 * coverage is read once for all findings, and `width_bucket` finds the first time after that of a finding. `until` is SQL for
 * the latest time.
 */
export const sortedScopes = (findings: string, until = "'infinity'") => `
  select c.provider_id, c.product, u.check_key, ${sorted('u.time')} as times, ${sorted(RESOLVED_BY)} as resolved_by,
    ${sorted('c.ingestion_id')} as coverage_ids
  from (select provider_id, min(since) as earliest from ${findings} group by provider_id) as w
  cross join lateral (select * from coverages c
    where c.tenant_id = $1 and c.provider_id = w.provider_id and c.newest_time > w.earliest offset 0) as c
  cross join lateral unnest(c.check_keys, c.times) as u (check_key, time)
  where u.time > w.earliest and u.time <= ${until} and (u.check_key = ${ALL_CHECKS} or u.check_key in (select check_key from ${findings}))
  group by c.provider_id, c.product, u.check_key`;

/** SQL join of the scopes `s` that hold a finding. */
export const joinScopes = (finding: string) => `
  cross join lateral (values (${ALL_CHECKS}::bigint), (${finding}.check_key)) as k (check_key)
  join scopes s on s.provider_id = ${finding}.provider_id and s.product = ${finding}.product and s.check_key = k.check_key`;
