import type { Queryable } from '../../db/transaction.ts';
import type { ClaimedFrame } from '../worker/claim.ts';
import { SCAN_COUNTS } from './scan-counts.ts';
import { scanId } from './scan-id.ts';
import type { ScanTally } from './scan-tallies.ts';

const COLUMNS = ['id', 'provider_id', 'uid', 'started_at', 'ended_at', ...SCAN_COUNTS];

const ADD_TO_SCANS = `
  insert into scans as s (tenant_id, ingestion_id, inserted_at, ${COLUMNS.join(', ')})
  select i.tenant_id, i.id, i.inserted_at, ${COLUMNS.map((name) => `w.${name}`).join(', ')}
  from ingestions i cross join jsonb_to_recordset($3::jsonb) as w (id uuid, provider_id uuid, uid text,
    started_at timestamptz, ended_at timestamptz, ${SCAN_COUNTS.map((name) => `${name} bigint`).join(', ')})
  where i.tenant_id = $1 and i.id = $2
  on conflict (tenant_id, id) do update set
    started_at = least(s.started_at, excluded.started_at), ended_at = greatest(s.ended_at, excluded.ended_at),
    ${SCAN_COUNTS.map((name) => `${name} = s.${name} + excluded.${name}`).join(', ')}`;

/**
 * A finding counts toward the scan that determined its current state. If a record replaces a record from an earlier
 * frame of the same upload, the finding no longer counts toward that frame's scan. Scans of earlier uploads do not
 * change.
 */
const FIND_DELTAS = `
  select provider_id as "providerId", scan_uid as "scanUid",
    coalesce(sum(number) filter (where counted_as = 'new'), 0)::float8 as "newFindings",
    coalesce(sum(number) filter (where counted_as = 'changed'), 0)::float8 as "changedFindings"
  from finding_changes where ingestion_id = $1 group by provider_id, scan_uid
  having count(*) filter (where counted_as in ('new', 'changed')) > 0`;

/**
 * Joined by id: a join on the nullable scan id cannot be hashed, and its cost would grow quadratically with the number
 * of scans.
 */
const COUNT_DELTAS = `
  update scans s set new_findings = s.new_findings + d.new_findings, changed_findings = s.changed_findings + d.changed_findings
  from unnest($2::uuid[], $3::bigint[], $4::bigint[]) as d (id, new_findings, changed_findings)
  where s.tenant_id = $1 and s.id = d.id`;

interface ScanDelta {
  readonly providerId: string;
  readonly scanUid: string | null;
  readonly newFindings: number;
  readonly changedFindings: number;
}

/**
 * Adds a frame to the scans of its upload, after its findings were merged. Call it after the transaction has locked
 * the job's row: the frames of a job share their scans, and that lock serializes them.
 */
export async function updateScans(
  client: Queryable,
  { tenantId, ingestionId }: ClaimedFrame,
  tallies: readonly ScanTally[],
): Promise<void> {
  if (tallies.length === 0) return;
  const rows = tallies.map(({ providerId, uid, counts, startedAt, endedAt }) => ({
    id: scanId(ingestionId, providerId, uid),
    provider_id: providerId,
    uid,
    started_at: new Date(startedAt).toISOString(),
    ended_at: new Date(endedAt).toISOString(),
    ...Object.fromEntries(SCAN_COUNTS.map((name) => [name, counts.get(name) ?? 0])),
  }));
  await client.query(ADD_TO_SCANS, [tenantId, ingestionId, JSON.stringify(rows)]);
  const { rows: deltas } = await client.query<ScanDelta>(FIND_DELTAS, [ingestionId]);
  if (deltas.length === 0) return;
  await client.query(COUNT_DELTAS, [
    tenantId,
    deltas.map(({ providerId, scanUid }) => scanId(ingestionId, providerId, scanUid)),
    deltas.map(({ newFindings }) => newFindings),
    deltas.map(({ changedFindings }) => changedFindings),
  ]);
}
