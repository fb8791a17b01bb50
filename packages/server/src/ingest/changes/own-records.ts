import type { Queryable } from '../../db/transaction.ts';
import type { LateFinding, MergedFrame } from '../merge/merge-findings.ts';
import { lateFindingsSql } from '../merge/merge-statements.ts';
import type { ClaimedFrame } from '../worker/claim.ts';
import { type Timeline, timelineOf } from './place-record.ts';
import { findUnchanged, type UnchangedFinding } from './scan-findings.ts';

// A file can have two records of a finding in different frames. If the finding's newest record is that of the first frame, the merge of
// the second one replaces it. If another upload is processed in between, its record is the newest one. Then the earlier record of this
// upload must be found, and with its findings locked, because all three may be merged at the same time.

/** The findings that already have a record of this upload, while another upload has their newest one. */
export interface OwnRecords {
  /** The findings that were locked, by id without hyphens. `undefined` if no other upload was in progress. */
  readonly locked: ReadonlySet<string> | undefined;
  /** Before the merge, by id without hyphens. */
  readonly timelines: ReadonlyMap<string, Timeline>;
  /** Those without a place on the timeline. */
  readonly unchanged: ReadonlyMap<string, UnchangedFinding>;
}

/** Another upload was processed between two frames, and this could not be foreseen. The frame must be merged again. */
export class InterleavedUploads extends Error {}

/** SQL condition: an upload `other` has records of these providers. */
const HAS_RECORDS =
  'exists (select from scans s where s.tenant_id = $1 and s.ingestion_id = other.id and s.provider_id = any($3::uuid[]))';

/** SQL that returns a row if the job has several frames, and another job was in progress at the same time. */
const inProgress = (condition: string) => `
  select from ingestions own
  where own.tenant_id = $1 and own.id = $2 and own.frames > 1 and exists (
    select from ingestions other
    where other.tenant_id = $1 and other.id <> $2 and other.started_at is not null
      and (other.completed_at is null or other.completed_at >= own.started_at) and (${condition}))`;

/** The scans of a job that has just begun are not known yet. */
const MAY_INTERLEAVE = inProgress(
  `${HAS_RECORDS} or not exists (select from scans s where s.tenant_id = $1 and s.ingestion_id = other.id)`,
);
const HAS_INTERLEAVED = inProgress(HAS_RECORDS);

/** The ids are without hyphens. */
export interface FrameFindings {
  readonly providerIds: readonly string[];
  readonly ids: () => readonly string[];
}

/** Finds these records before the merge. Locks the findings in the order of their ids, as the merge does. */
export async function findOwnRecords(
  client: Queryable,
  frame: ClaimedFrame,
  { providerIds, ids }: FrameFindings,
): Promise<OwnRecords> {
  const { tenantId, ingestionId } = frame;
  const own = [tenantId, ingestionId];
  const others = await client.query(MAY_INTERLEAVE, [...own, providerIds]);
  if (others.rowCount === 0) return { locked: undefined, timelines: new Map(), unchanged: new Map() };
  const locked = await client.query<{ id: string; isOther: boolean }>(
    `select replace(id::text, '-', '') as id, ingestion_id <> $2 as "isOther" from findings
     where tenant_id = $1 and id = any($3::uuid[]) order by findings.id for no key update`,
    [...own, ids()],
  );
  const candidates = locked.rows.filter(({ isOther }) => isOther).map(({ id }) => id);
  const unchanged = await findUnchanged(client, frame, candidates);
  const known = await client.query<{ id: string }>(
    `select id from findings
     where tenant_id = $1 and id = any($3::uuid[]) and (
       id = any($4::uuid[])
       or id = any(array(select finding_id from finding_events where tenant_id = $1 and ingestion_id = $2 and not is_resolution))
       or first_scan_id = any(array(select id from scans where tenant_id = $1 and ingestion_id = $2)))`,
    [...own, candidates, unchanged.map(({ findingId }) => findingId)],
  );
  const timelines =
    known.rows.length === 0
      ? []
      : (await client.query<LateFinding>(TIMELINES, [tenantId, known.rows.map(({ id }) => id)])).rows;
  return {
    locked: new Set(locked.rows.map(({ id }) => id)),
    timelines: new Map(timelines.map((finding) => [finding.id.replaceAll('-', ''), timelineOf(finding)])),
    unchanged: new Map(unchanged.map((finding) => [finding.findingId, finding])),
  };
}

const TIMELINES = lateFindingsSql('(select unnest($2::uuid[]) as id)', 'true');

/** Throws `InterleavedUploads` if another upload had the newest record of a finding that was not locked. */
export async function assertNotInterleaved(
  client: Queryable,
  { tenantId, ingestionId }: ClaimedFrame,
  { providerIds, ids }: FrameFindings,
  { own: { locked }, merged }: { readonly own: OwnRecords; readonly merged: MergedFrame },
): Promise<void> {
  const replaced = new Set(merged.replaced.map(({ id }) => id.replaceAll('-', '')));
  const isOfOther = (id: string) =>
    !(
      merged.changed.get(id) === null ||
      replaced.has(id) ||
      merged.late.get(id)?.ingestionId === ingestionId
    );
  const mayBeMissed =
    locked === undefined
      ? (await client.query(HAS_INTERLEAVED, [tenantId, ingestionId, providerIds])).rowCount !== 0
      : ids().some((id) => !locked.has(id) && isOfOther(id));
  if (mayBeMissed)
    throw new InterleavedUploads('another upload was processed between two frames of this upload');
}
