import type { Queryable } from '../../db/transaction.ts';
import type { ReappearedFinding } from '../merge/reappeared-findings.ts';
import { AlteredPoints } from './altered-points.ts';
import { ChangeCounts } from './change-counts.ts';
import { findSightings } from './find-sightings.ts';
import { placeResolution } from './place-resolution.ts';
import { type ResolvedFinding, recordResolutions } from './record-resolutions.ts';
import { readTimelines } from './timelines.ts';

// A coverage also resolves findings that have newer records: from its time until the next record, which reopens them. Their
// state is unaffected, but their history and the counts of both uploads are not.

/**
 * Records, in the open transaction, that a coverage resolved findings before their newest records. Locks the findings in
 * the order of their ids, as merges do.
 */
export async function recordPastResolutions(
  client: Queryable,
  tenantId: string,
  coverageId: string,
  findings: readonly ReappearedFinding[],
): Promise<void> {
  const ids = findings.map(({ id }) => id);
  const sightings = await findSightings(
    client,
    tenantId,
    { ingestionId: coverageId, isCoverage: true },
    findings,
  );
  await client.query(
    'select from findings where tenant_id = $1 and id = any($2::uuid[]) order by id for no key update',
    [tenantId, ids],
  );
  // The triggers of migration 0029 count nothing, because the findings stay as they are.
  await client.query("set local sluice.counts = 'backfill'");
  const timelines = await readTimelines(client, tenantId, ids);
  const counts = new ChangeCounts();
  const altered = new AlteredPoints(counts);
  const resolved: ResolvedFinding[] = [];
  for (const { id, providerId, time } of findings) {
    const key = id.replaceAll('-', '');
    const timeline = timelines.get(key);
    const coverage = { coverageId, occurredAt: time };
    const placed = timeline && placeResolution(timeline, coverage, sightings.get(key));
    if (!placed) continue;
    const { state, replaced, reopened } = placed;
    const old = { oldTime: replaced?.occurredAt ?? null, oldBy: replaced?.ingestionId ?? null };
    resolved.push({ id, providerId, coverageId, resolvedAt: time, state, ...old });
    if (reopened !== null) altered.add(id, reopened, timeline.newest);
  }
  await recordResolutions(client, tenantId, resolved, counts);
  await altered.store(client, tenantId);
  await counts.store(client, tenantId);
}
