import type { Queryable } from '../../db/transaction.ts';
import { stateCode, stateSql } from '../changes/finding-state.ts';
import { placeRecord } from '../changes/place-record.ts';
import { readTimelines } from '../changes/timelines.ts';
import type { FrameRows } from '../merge/frame-rows.ts';
import type { ClaimedFrame } from '../worker/claim.ts';

interface KnownFinding {
  /** Without hyphens. */
  readonly id: string;
  /** `finding_state_code` at the time of the record. */
  readonly state: number;
  /** Whether the finding has a newer record. */
  readonly isLate: boolean;
}

const KNOWN = `
  select replace(f.id::text, '-', '') as id, f.last_seen_at > w.time as "isLate",
    ${stateSql('f', 'coalesce(f.resolved_at <= w.time, false)')} as state
  from unnest((select $2::uuid[]), (select $3::timestamptz[])) as w (id, time)
  cross join lateral (select * from findings where tenant_id = $1 and id = w.id offset 0) as f`;

/**
 * Returns the state of each known finding just before the record of the frame, by id without hyphens. The upload would be
 * the last one, so that of two records with the same time, its own is the newer one.
 */
export async function findPriorStates(
  client: Queryable,
  { tenantId, ingestionId }: ClaimedFrame,
  rows: FrameRows,
): Promise<ReadonlyMap<string, number>> {
  const ids = rows.hexIds;
  const times = Array.from(rows.values(), ({ time }) => new Date(time).toISOString());
  const known = (await client.query<KnownFinding>(KNOWN, [tenantId, ids, times])).rows;
  const states = new Map(known.map(({ id, state }) => [id, state]));
  const lateIds = known.filter(({ isLate }) => isLate).map(({ id }) => id);
  for (const [id, timeline] of await readTimelines(client, tenantId, lateIds)) {
    const row = rows.rowOf(id);
    const record = { occurredAt: row.time, ingestionId, scanId: row.scanId, state: stateCode(row) };
    const priorState = placeRecord(timeline, record)?.priorState ?? null;
    if (priorState === null) states.delete(id);
    else states.set(id, priorState);
  }
  return states;
}
