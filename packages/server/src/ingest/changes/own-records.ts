import type { Queryable } from '../../db/transaction.ts';
import { uuidBytes } from '../merge/copy-writer.ts';
import type { MergedFrame } from '../merge/merge-findings.ts';
import type { ClaimedFrame, FrameJob } from '../worker/claim.ts';
import { findUnchanged, type UnchangedFinding } from './scan-findings.ts';
import { readTimelines, type Timelines } from './timelines.ts';

// A file can have two records of a finding in different frames. If the finding's newest record is that of the first frame, the merge of
// the second one replaces it. The newest record can also be that of another upload, because the record of the first frame was late, or
// because the other upload was processed in between. Then the earlier record of this upload must be found, and with its findings locked,
// because all three may be merged at the same time.

/** The findings that already have a record of this upload, while another upload has their newest one. */
export interface OwnRecords {
  /** The findings that were locked, by id without hyphens. `undefined` if there seemed to be no such records. */
  readonly locked: ReadonlySet<string> | undefined;
  /** Before the merge, by id without hyphens. */
  readonly timelines: Timelines;
  /** Those without a place on the timeline. */
  readonly unchanged: ReadonlyMap<string, UnchangedFinding>;
}

/** The frame must be merged again, because such a record was created after the search for them. */
export class MissedOwnRecords extends Error {}

/** SQL condition: an upload `other` has records of these providers. */
const HAS_RECORDS =
  'exists (select from scans s where s.tenant_id = $1 and s.ingestion_id = other.id and s.provider_id = any($3::uuid[]))';

/** SQL condition: another job that fulfills a condition was in progress at the same time as the job `own`. */
const inProgress = (condition: string) => `exists (
    select from ingestions other
    where other.tenant_id = $1 and other.id <> $2 and other.started_at is not null and not other.dry_run
      and (other.completed_at is null or other.completed_at >= own.started_at) and (${condition}))`;

/** SQL that returns a row if the job fulfills a condition. */
const ifOwn = (condition: string) => `
  select from ingestions own where own.tenant_id = $1 and own.id = $2 and (${condition})`;

const HAS_INTERLEAVED = ifOwn(inProgress(HAS_RECORDS));
const HAS_OWN_RECORDS = ifOwn(`own.has_late_records or ${inProgress(HAS_RECORDS)}`);
/** The scans of a job that has just begun are not known yet. */
const MAY_HAVE_RECORDS = `
  ${HAS_RECORDS} or not exists (select from scans s where s.tenant_id = $1 and s.ingestion_id = other.id)`;
const MAY_HAVE_OWN_RECORDS = ifOwn(`own.has_late_records or ${inProgress(MAY_HAVE_RECORDS)}`);

/** The ids are without hyphens. */
export interface FrameFindings {
  readonly providerIds: readonly string[];
  readonly ids: () => readonly string[];
}

export const NO_OWN_RECORDS: OwnRecords = { locked: undefined, timelines: new Map(), unchanged: new Map() };

/** Finds these records before the merge. Locks the findings in the order of their ids, as the merge does. */
export async function findOwnRecords(
  client: Queryable,
  frame: FrameJob,
  { providerIds, ids }: FrameFindings,
): Promise<OwnRecords> {
  if (frame.frames === 1) return NO_OWN_RECORDS;
  const { tenantId, ingestionId } = frame;
  const own = [tenantId, ingestionId];
  const mayExist = await client.query(MAY_HAVE_OWN_RECORDS, [...own, providerIds]);
  if (mayExist.rowCount === 0) return NO_OWN_RECORDS;
  const locked = await client.query<{ id: string; isOther: boolean }>(
    `select replace(id::text, '-', '') as id, ingestion_id <> $2 as "isOther" from findings
     where tenant_id = $1 and id = any($3::uuid[]) order by findings.id for no key update`,
    [...own, ids()],
  );
  const candidates = locked.rows.filter(({ isOther }) => isOther).map(({ id }) => id);
  // A record without an event was the newest one until another upload was processed.
  const hasInterleaved = await client.query(HAS_INTERLEAVED, [...own, providerIds]);
  const unchanged = hasInterleaved.rowCount === 0 ? [] : await findUnchanged(client, frame, candidates);
  const known = await client.query<{ id: string }>(KNOWN, [
    ...own,
    candidates,
    unchanged.map(({ findingId }) => findingId),
  ]);
  return {
    locked: new Set(locked.rows.map(({ id }) => id)),
    timelines: await readTimelines(
      client,
      tenantId,
      known.rows.map(({ id }) => id),
    ),
    unchanged: new Map(unchanged.map((finding) => [finding.findingId, finding])),
  };
}

/**
 * The candidates ($3) that are unchanged ($4), or have an event, or have their first record in this upload.
 * `is not distinct from` cannot use the index of uploads: a new upload has no statistics, so that PostgreSQL would prefer
 * this index and read all events of the upload for each finding.
 */
const KNOWN = `
  select f.id from findings f
  left join lateral (
    select true as exists from finding_events e
    where e.tenant_id = $1 and e.finding_id = f.id and e.ingestion_id is not distinct from $2 and not e.is_resolution
    offset 0) as event on true
  where f.tenant_id = $1 and f.id = any($3::uuid[]) and (event.exists or f.id = any($4::uuid[])
    or f.first_scan_id = any(array(select id from scans where tenant_id = $1 and ingestion_id = $2)))`;

/** Throws `MissedOwnRecords` if another upload had the newest record of a finding that was not locked. */
export async function assertNoneMissed(
  client: Queryable,
  { tenantId, ingestionId, frames }: FrameJob,
  { providerIds, ids }: FrameFindings,
  { own: { locked }, merged }: { readonly own: OwnRecords; readonly merged: MergedFrame },
): Promise<void> {
  if (frames === 1 || merged.areAllNew) return;
  const replaced = new Set(merged.replaced.map(({ id }) => id.replaceAll('-', '')));
  const isOfOther = (id: string) =>
    !(
      merged.priorStates.get(uuidBytes(id)) === null ||
      replaced.has(id) ||
      merged.late.get(id)?.newest.ingestionId === ingestionId
    );
  const mayBeMissed =
    locked === undefined
      ? (await client.query(HAS_OWN_RECORDS, [tenantId, ingestionId, providerIds])).rowCount !== 0
      : ids().some((id) => !locked.has(id) && isOfOther(id));
  if (mayBeMissed) throw new MissedOwnRecords('records of another frame of this upload may have been missed');
}

/** Whether another upload has a newer record of a finding of the frame, so that later frames must search for its record. */
export function hasLateRecords({ ingestionId }: ClaimedFrame, { late }: MergedFrame): boolean {
  return [...late.values()].some(({ newest }) => newest.ingestionId !== ingestionId);
}
