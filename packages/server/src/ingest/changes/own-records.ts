import type { Queryable } from '../../db/transaction.ts';
import type { LateFinding } from '../merge/merge-findings.ts';
import { lateFindingsSql } from '../merge/merge-statements.ts';
import type { ClaimedFrame } from '../worker/claim.ts';
import { type Timeline, timelineOf } from './place-record.ts';
import { findUnchanged, type UnchangedFinding } from './scan-findings.ts';

// A file can have two records of a finding in different frames. If the finding's newest record is that of the first frame, the merge of
// the second one replaces it. If another upload was processed in between, its record is the newest one; then the earlier record of this
// upload must be found.

/** The findings that already have a record of this upload, while another upload has their newest one. */
export interface OwnRecords {
  /** Before the merge, by id without hyphens. */
  readonly timelines: ReadonlyMap<string, Timeline>;
  /** Those without a place on the timeline. */
  readonly unchanged: ReadonlyMap<string, UnchangedFinding>;
}

const NONE: OwnRecords = { timelines: new Map(), unchanged: new Map() };

/** Whether another frame of this job is done, and another job with one of these providers was in progress meanwhile. */
const IS_INTERLEAVED = `
  select from ingestions own
  where own.tenant_id = $1 and own.id = $2 and own.frames_done > 0 and exists (
    select from ingestions other
    where other.tenant_id = $1 and other.id <> $2 and other.started_at is not null
      and (other.completed_at is null or other.completed_at >= own.started_at)
      and (exists (select from scans s where s.tenant_id = $1 and s.ingestion_id = other.id and s.provider_id = any($3::uuid[]))
        or not exists (select from scans s where s.tenant_id = $1 and s.ingestion_id = other.id)))`;

/** Finds these records, and locks the findings in the order of their ids, as the merge does. */
export async function findOwnRecords(
  client: Queryable,
  frame: ClaimedFrame,
  providerIds: readonly string[],
  findingIds: () => readonly string[],
): Promise<OwnRecords> {
  const { tenantId, ingestionId } = frame;
  const interleaved = await client.query(IS_INTERLEAVED, [tenantId, ingestionId, providerIds]);
  if (interleaved.rowCount === 0) return NONE;
  const ids = findingIds();
  const unchanged = await findUnchanged(client, frame, ids);
  const known = await client.query<{ id: string }>(
    `select f.id from findings f
     where f.tenant_id = $1 and f.id = any($3::uuid[]) and f.ingestion_id <> $2 and (
       f.id = any($4::uuid[])
       or f.id = any(array(select finding_id from finding_events where tenant_id = $1 and ingestion_id = $2 and not is_resolution))
       or f.first_scan_id = any(array(select id from scans where tenant_id = $1 and ingestion_id = $2)))
     order by f.id for no key update`,
    [tenantId, ingestionId, ids, unchanged.map(({ findingId }) => findingId)],
  );
  if (known.rows.length === 0) return NONE;
  const { rows } = await client.query<LateFinding>(TIMELINES, [tenantId, known.rows.map(({ id }) => id)]);
  const timelines = new Map(rows.map((finding) => [finding.id.replaceAll('-', ''), timelineOf(finding)]));
  return {
    timelines,
    unchanged: new Map(
      unchanged.flatMap((finding) =>
        timelines.has(finding.findingId) ? [[finding.findingId, finding]] : [],
      ),
    ),
  };
}

const TIMELINES = lateFindingsSql('(select unnest($2::uuid[]) as id)', 'true');
