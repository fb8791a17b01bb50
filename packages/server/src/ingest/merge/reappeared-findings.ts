import type { Queryable } from '../../db/transaction.ts';
import { milliseconds } from '../../db/utc-timestamp.ts';
import type { Coverage } from '../upload/coverage.ts';
import { joinFindings } from './resolve-findings.ts';

/** A finding that an upload is complete for but does not contain, and that has both older and newer records. */
export interface ReappearedFinding {
  readonly id: string;
  readonly providerId: string;
  /** Coverage time of its scope, in milliseconds since 1970. */
  readonly time: number;
}

/** Whether another upload has newer records of the accounts of a coverage. */
export async function hasNewerScans(
  client: Queryable,
  tenantId: string,
  coverageId: string,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from coverages c
     cross join lateral (select from scans s
       where s.tenant_id = $1 and s.provider_id = c.provider_id and s.ingestion_id <> $2
         and s.ended_at >= (select min(time) from unnest(c.times) as time) limit 1) as newer
     where c.tenant_id = $1 and c.ingestion_id = $2 limit 1`,
    [tenantId, coverageId],
  );
  return rowCount !== 0;
}

/** SQL that selects the `ReappearedFinding`s of the coverages of an upload or a user ($2) of a tenant ($1). */
export function reappearedFindings(coverage: Coverage): string {
  return `
  with scopes as materialized (
    select c.provider_id, c.product, u.check_key, u.time from coverages c
    cross join lateral unnest(c.check_keys, c.times) as u (check_key, time)
    where c.tenant_id = $1 and c.ingestion_id = $2
  ), candidates as materialized (
    select s.id, s.provider_id, s.time from (
      select f.id, f.provider_id, f.facet_key, s.product, s.time
      from scopes s ${joinFindings(coverage, 'select provider_id from scopes')}
        and f.first_seen_at < s.time and f.last_seen_at >= s.time and f.ingestion_id <> $2
      offset 0
    ) as s
    cross join lateral (select product from finding_facets where tenant_id = $1 and key = s.facet_key offset 0) as p
    where p.product = s.product
  ), contained as materialized (
    select u.id from scan_findings r cross join lateral unnest(r.finding_ids) as u (id)
    where r.tenant_id = $1 and r.ingestion_id = $2 and exists (select from candidates)
  )
  select id, provider_id as "providerId", ${milliseconds('time')} as time from candidates
  where not exists (select from contained where contained.id = candidates.id)`;
}
