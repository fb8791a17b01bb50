import type { Sighting } from '../changes/place-resolution.ts';
import type { Coverage } from '../upload/coverage.ts';
import { milliseconds } from './merge-statements.ts';
import { joinFindings } from './resolve-findings.ts';

/** A finding that an upload is complete for but does not contain, and that has both older and newer records. */
export interface SeenFinding {
  readonly id: string;
  readonly providerId: string;
  /** Coverage time of its scope, in milliseconds since 1970. */
  readonly time: number;
  /** The first scan since then that contains it. */
  readonly sighting: Sighting | null;
}

/** SQL for the id of the upload or user's coverage. */
const COVERAGE = '$2::uuid';

/**
 * SQL that selects the `SeenFinding`s of the coverages of an upload or a user ($2) of a tenant ($1). Reads nothing unless
 * another upload has newer records of the accounts. A scan that began before the coverage time counts as an older one.
 */
export function seenFindings(coverage: Coverage): string {
  return `
  with covered as materialized (
    select c.* from coverages c
    where c.tenant_id = $1 and c.ingestion_id = ${COVERAGE} and exists (select from scans s
      where s.tenant_id = $1 and s.provider_id = c.provider_id and s.ingestion_id <> ${COVERAGE}
        and s.ended_at >= (select min(time) from unnest(c.times) as time))
  ), scopes as materialized (
    select c.provider_id, c.product, u.check_key, u.time from covered c
    cross join lateral unnest(c.check_keys, c.times) as u (check_key, time)
  ), seen as materialized (
    select s.id, s.provider_id, s.time from (
      select f.id, f.provider_id, f.facet_key, s.product, s.time
      from scopes s ${joinFindings(coverage, 'select provider_id from scopes')}
        and f.first_seen_at < s.time and f.last_seen_at >= s.time and f.ingestion_id <> ${COVERAGE}
      offset 0
    ) as s
    cross join lateral (select product from finding_facets where tenant_id = $1 and key = s.facet_key offset 0) as p
    where p.product = s.product
  ), later as materialized (
    select s.id, s.ingestion_id, s.started_at from scans s
    where s.tenant_id = $1 and s.provider_id = any(array(select provider_id from seen))
      and (s.ingestion_id = ${COVERAGE} or s.started_at >= (select min(time) from seen))
  ), sightings as materialized (
    select u.id, later.id as scan_id, later.ingestion_id, later.started_at
    from scan_findings r
    cross join lateral unnest(r.finding_ids, r.scan_numbers) as u (id, number)
    join later on later.id = r.scan_ids[u.number]
    where r.tenant_id = $1 and r.ingestion_id = any(array(select ingestion_id from later)) and u.id in (select id from seen)
  ), first as (
    select distinct on (seen.id) seen.*, s.scan_id, s.ingestion_id, s.started_at
    from seen left join sightings s on s.id = seen.id and (s.ingestion_id = ${COVERAGE} or s.started_at >= seen.time)
    order by seen.id, s.ingestion_id = ${COVERAGE} desc, s.started_at, s.ingestion_id
  )
  select id, provider_id as "providerId", ${milliseconds('time')} as time,
    case when scan_id is not null then
      json_build_object('scanId', scan_id, 'ingestionId', ingestion_id, 'startedAt', ${milliseconds('started_at')}) end as sighting
  from first where ingestion_id is distinct from ${COVERAGE}`;
}
