import { withHashJoins } from '../../db/planner-settings.ts';
import type { Queryable } from '../../db/transaction.ts';
import { milliseconds } from '../../db/utc-timestamp.ts';
import type { Sighting } from '../changes/place-resolution.ts';
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

/**
 * Returns the first scan with each of these findings that began at or after its coverage time, by the finding's id.
 * Usually, the next upload contains nearly all of them. Otherwise, it reads twice as many uploads each time.
 */
export async function findSightings(
  client: Queryable,
  tenantId: string,
  coverageId: string,
  findings: readonly ReappearedFinding[],
): Promise<ReadonlyMap<string, Sighting>> {
  const from = new Date(Math.min(...findings.map(({ time }) => time)));
  const providerIds = [...new Set(findings.map(({ providerId }) => providerId))];
  const later = await client.query<{ id: string }>(LATER_UPLOADS, [tenantId, providerIds, coverageId, from]);
  const ids = later.rows.map(({ id }) => id);
  const found = new Map<string, Sighting>();
  for (
    let first = 0, count = 1;
    first < ids.length && found.size < findings.length;
    first += count, count *= 2
  ) {
    const others = findings.filter(({ id }) => !found.has(id));
    const values = [
      tenantId,
      ids.slice(first, first + count),
      others.map(({ id }) => id),
      others.map(({ time }) => new Date(time).toISOString()),
    ];
    const query = () => client.query<Sighting & { readonly findingId: string }>(SIGHTINGS, values);
    for (const { findingId, ...sighting } of (await withHashJoins(client, query)).rows)
      found.set(findingId, sighting);
  }
  return found;
}

const LATER_UPLOADS = `
  select ingestion_id as id from scans
  where tenant_id = $1 and provider_id = any($2::uuid[]) and ingestion_id <> $3 and started_at >= $4
  group by ingestion_id order by min(started_at), ingestion_id`;

const SIGHTINGS = `
  with seen as materialized (
    select w.id, w.time, u.scan_ids[u.number] as scan_id, u.state
    from unnest((select $3::uuid[]), (select $4::timestamptz[])) as w (id, time)
    join (
      select r.scan_ids, u.* from scan_findings r
      cross join lateral unnest(r.finding_ids, r.scan_numbers, r.unchanged_states) as u (id, number, state)
      where r.tenant_id = $1 and r.ingestion_id = any($2::uuid[])
    ) as u on u.id = w.id
  )
  select distinct on (seen.id) seen.id as "findingId", s.id as "scanId", s.ingestion_id as "ingestionId",
    ${milliseconds('s.started_at')} as "startedAt", seen.state
  from seen
  cross join lateral (select * from scans where tenant_id = $1 and id = seen.scan_id offset 0) as s
  where s.started_at >= seen.time
  order by seen.id, s.started_at, s.ingestion_id`;
