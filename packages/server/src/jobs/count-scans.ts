import type { Queryable } from '../db/transaction.ts';
import { SCAN_COUNTS } from '../features/scans/scan-counts.ts';
import { scanId } from '../features/scans/scan-id.ts';
import type { ClaimedFrame } from './claim.ts';
import type { FindingDelta, MergedFindings } from './merge-findings.ts';
import { type ScanTally, scanKey } from './scan-tallies.ts';

/** Findings of a scan, by what they are against earlier uploads. */
interface ScanDeltas {
  readonly providerId: string;
  readonly uid: string | null;
  new: number;
  changed: number;
}

const COUNTS = [...SCAN_COUNTS, 'new_findings', 'changed_findings'];
const COLUMNS = ['id', 'provider_id', 'uid', 'started_at', 'ended_at', ...COUNTS];

const ADD_TO_SCANS = `
  insert into scans as s (tenant_id, ingestion_id, inserted_at, ${COLUMNS.join(', ')})
  select i.tenant_id, i.id, i.inserted_at, ${COLUMNS.map((name) => `w.${name}`).join(', ')}
  from ingestions i cross join jsonb_to_recordset($3::jsonb) as w (id uuid, provider_id uuid, uid text,
    started_at timestamptz, ended_at timestamptz, ${COUNTS.map((name) => `${name} bigint`).join(', ')})
  where i.tenant_id = $1 and i.id = $2
  on conflict (tenant_id, id) do update set
    started_at = least(s.started_at, excluded.started_at), ended_at = greatest(s.ended_at, excluded.ended_at),
    ${COUNTS.map((name) => `${name} = s.${name} + excluded.${name}`).join(', ')}`;

const TAKE_FROM_SCANS = `
  update scans s set new_findings = s.new_findings - w.new, changed_findings = s.changed_findings - w.changed
  from jsonb_to_recordset($3::jsonb) as w (id uuid, new bigint, changed bigint)
  where s.tenant_id = $1 and s.ingestion_id = $2 and s.id = w.id`;

/**
 * Adds what a frame brought to the scans of its upload. To be called when the transaction has locked the job's row: the
 * frames of a job share their scans, and that lock lets them come one after another.
 */
export async function countScans(
  client: Queryable,
  { tenantId, ingestionId }: ClaimedFrame,
  tallies: readonly ScanTally[],
  merged: readonly MergedFindings[],
): Promise<void> {
  if (tallies.length === 0) return;
  const idOf = ({ providerId, uid }: Pick<ScanTally, 'providerId' | 'uid'>) =>
    scanId(ingestionId, providerId, uid);
  const added = countDeltas(merged.map((group) => ({ ...group, uid: group.scanUid })));
  const rows = tallies.map((tally) => {
    const { providerId, uid, counts, startedAt, endedAt } = tally;
    const delta = added.get(scanKey(providerId, uid));
    return {
      id: idOf(tally),
      provider_id: providerId,
      uid,
      started_at: new Date(startedAt).toISOString(),
      ended_at: new Date(endedAt).toISOString(),
      ...Object.fromEntries(SCAN_COUNTS.map((name) => [name, counts.get(name) ?? 0])),
      new_findings: delta?.new ?? 0,
      changed_findings: delta?.changed ?? 0,
    };
  });
  await client.query(ADD_TO_SCANS, [tenantId, ingestionId, JSON.stringify(rows)]);

  // A record of an earlier frame was counted for these findings: now it is this frame's.
  const replaced = merged.flatMap((group) =>
    group.replacedDelta === null
      ? []
      : [{ ...group, uid: group.replacedScanUid, delta: group.replacedDelta }],
  );
  if (replaced.length === 0) return;
  const taken = [...countDeltas(replaced).values()].map((counts) => ({ ...counts, id: idOf(counts) }));
  await client.query(TAKE_FROM_SCANS, [tenantId, ingestionId, JSON.stringify(taken)]);
}

interface CountedGroup {
  readonly providerId: string;
  readonly uid: string | null;
  readonly delta: FindingDelta;
  readonly findings: number;
}

/** By `scanKey`. */
function countDeltas(groups: readonly CountedGroup[]): ReadonlyMap<string, Readonly<ScanDeltas>> {
  const scans = new Map<string, ScanDeltas>();
  for (const { providerId, uid, delta, findings } of groups) {
    const key = scanKey(providerId, uid);
    const counts = scans.get(key) ?? { providerId, uid, new: 0, changed: 0 };
    if (delta !== 'unchanged') counts[delta] += findings;
    scans.set(key, counts);
  }
  return scans;
}
