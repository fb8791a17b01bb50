import { withHashJoins } from '../../db/planner-settings.ts';
import type { Queryable } from '../../db/transaction.ts';
import { milliseconds } from '../../db/utc-timestamp.ts';
import { NIL_UUID } from '../../lib/nil-uuid.ts';
import type { Sighting } from './sighting.ts';

/** A finding, and the time after which to find it in a scan. */
export interface SoughtFinding {
  /** With or without hyphens. */
  readonly id: string;
  readonly providerId: string;
  /** In milliseconds since 1970. */
  readonly time: number;
}

/**
 * Returns the first scan with each of these findings that began after a record of an upload, by the finding's id without
 * hyphens. The upload also precedes scans that began at the same time if they are in later uploads; a coverage
 * (`isCoverage`) precedes all of them. Usually, the next upload contains nearly all findings. Otherwise, reads twice as many
 * uploads each time.
 */
export async function findSightings(
  client: Queryable,
  tenantId: string,
  { ingestionId, isCoverage }: { readonly ingestionId: string; readonly isCoverage: boolean },
  findings: readonly SoughtFinding[],
): Promise<ReadonlyMap<string, Sighting>> {
  const found = new Map<string, Sighting>();
  if (findings.length === 0) return found;
  const from = new Date(Math.min(...findings.map(({ time }) => time)));
  const providerIds = [...new Set(findings.map(({ providerId }) => providerId))];
  const later = await client.query<{ id: string }>(LATER_UPLOADS, [tenantId, providerIds, ingestionId, from]);
  const ids = later.rows.map(({ id }) => id);
  for (
    let first = 0, count = 1;
    first < ids.length && found.size < findings.length;
    first += count, count *= 2
  ) {
    const others = findings.filter(({ id }) => !found.has(id.replaceAll('-', '')));
    const values = [
      tenantId,
      ids.slice(first, first + count),
      others.map(({ id }) => id),
      others.map(({ time }) => new Date(time).toISOString()),
      isCoverage ? NIL_UUID : ingestionId,
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
  select distinct on (seen.id) replace(seen.id::text, '-', '') as "findingId", s.id as "scanId", s.ingestion_id as "ingestionId",
    ${milliseconds('s.started_at')} as "startedAt", seen.state
  from seen
  cross join lateral (select * from scans where tenant_id = $1 and id = seen.scan_id offset 0) as s
  where (s.started_at, s.ingestion_id) > (seen.time, $5::uuid)
  order by seen.id, s.started_at, s.ingestion_id`;
