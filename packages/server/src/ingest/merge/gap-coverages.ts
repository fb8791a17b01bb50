import { withHashJoins } from '../../db/planner-settings.ts';
import type { Queryable } from '../../db/transaction.ts';
import { milliseconds } from '../../db/utc-timestamp.ts';
import type { Gap } from '../changes/place-record.ts';
import { joinScopes, sortedScopes, tieBreakerOf } from './sorted-scopes.ts';

/** The time between two records of a finding. */
export interface FindingGap extends Gap {
  /** Without hyphens. */
  readonly findingId: string;
}

/** The first coverage between two records of a finding that holds it, and whose upload does not contain it. */
export interface GapCoverage {
  /** Of the finding. */
  readonly id: string;
  readonly providerId: string;
  /** The upload, or the id of a user's coverage. */
  readonly coverageId: string;
  /** In milliseconds since 1970. */
  readonly resolvedAt: number;
}

/** Returns the coverages in gaps by the ids of the findings without hyphens. */
export async function findGapCoverages(
  client: Queryable,
  tenantId: string,
  gaps: readonly FindingGap[],
): Promise<ReadonlyMap<string, GapCoverage>> {
  if (gaps.length === 0) return new Map();
  const times = (name: 'from' | 'to') => gaps.map((gap) => new Date(gap[name]).toISOString());
  const values = [
    tenantId,
    gaps.map(({ findingId }) => findingId),
    times('from'),
    times('to'),
    gaps.map(({ nextIngestionId }) => nextIngestionId),
  ];
  const { rows } = await withHashJoins(client, () => client.query<GapCoverage>(GAP_COVERAGES, values));
  return new Map(rows.map((row) => [row.id.replaceAll('-', ''), row]));
}

/** A coverage whose upload was removed resolves nothing, because the findings in its file are unknown. */
const GAP_COVERAGES = `
  with gaps as materialized (
    select w.id, w.since, w.until, w.next_id, f.provider_id, f.check_key, p.product
    from unnest((select $2::uuid[]), (select $3::timestamptz[]), (select $4::timestamptz[]), (select $5::uuid[]))
      as w (id, since, until, next_id)
    cross join lateral (select * from findings where tenant_id = $1 and id = w.id offset 0) as f
    cross join lateral (select product from finding_facets where tenant_id = $1 and key = f.facet_key offset 0) as p
  ), scopes as materialized (${sortedScopes('gaps', '(select max(until) from gaps)')}),
  within as materialized (
    select g.id, g.provider_id, t.time, t.resolved_by, t.coverage_id
    from gaps g ${joinScopes('g')}
    cross join lateral (select width_bucket(g.since, s.times) + 1, width_bucket(g.until, s.times)) as n (first, last)
    cross join lateral unnest(s.times[first:last], s.resolved_by[first:last], s.coverage_ids[first:last])
      as t (time, resolved_by, coverage_id)
    where t.coverage_id is distinct from g.next_id
      and (t.resolved_by is null or t.coverage_id in (select id from ingestions where tenant_id = $1))
  ), contained as materialized (
    select s.ingestion_id, u.id from scan_findings s cross join lateral unnest(s.finding_ids) as u (id)
    where s.tenant_id = $1 and s.ingestion_id = any(array(select coverage_id from within)) and u.id in (select id from within)
  )
  select distinct on (c.id) c.id, c.provider_id as "providerId",
    c.coverage_id as "coverageId", ${milliseconds('c.time')} as "resolvedAt"
  from within c
  where not exists (select from contained where contained.ingestion_id = c.coverage_id and contained.id = c.id)
  order by c.id, c.time, ${tieBreakerOf('c.resolved_by')}`;
