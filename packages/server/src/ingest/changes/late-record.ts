import { rankOf } from '../merge/combine-rows.ts';
import { changeOf, type FindingChange, isMuted, statusOf, unresolved } from './finding-state.ts';

// A record is late if a newer record of its finding was processed before. Its place among the known records and resolutions decides how
// its scan changed the finding, and may alter how the next scan did.

/** A record of a finding, or its resolution. */
export interface TimelinePoint {
  readonly isResolution: boolean;
  /** In milliseconds since 1970. */
  readonly occurredAt: number;
  /** Null if an earlier release processed the upload. */
  readonly ingestionId: string | null;
  readonly scanId: string | null;
  /** `finding_state_code` */
  readonly state: number;
  /** The state just before; null if the record is the finding's first. */
  readonly priorState: number | null;
}

/** The known records and resolutions of a finding. Most records that do not change it are unknown. */
export interface Timeline {
  /** The rows of `finding_events`. */
  readonly events: readonly TimelinePoint[];
  readonly newest: TimelinePoint;
  readonly first: Pick<TimelinePoint, 'occurredAt' | 'ingestionId' | 'scanId'>;
  /** Time of the newest record of an upload that was accepted before that of the newest record. */
  readonly previousAt: number | null;
}

/** A late record. Another upload has the newest record of its finding. */
export interface LateRecord {
  readonly occurredAt: number;
  readonly ingestionId: string;
  readonly scanId: string;
  readonly state: number;
}

export interface PlacedRecord {
  readonly priorState: number | null;
  readonly change: FindingChange;
  /** An older record of the same upload, which this one replaces. */
  readonly replaced: TimelinePoint | null;
  /** The next record, if this one alters its prior state. */
  readonly next: TimelinePoint | null;
}

/** Places a late record on the timeline of its finding. Returns null if its upload has a newer one. */
export function placeLateRecord(timeline: Timeline, record: LateRecord): PlacedRecord | null {
  const points = pointsOf(timeline);
  const replaced =
    points.find(({ isResolution, ingestionId }) => !isResolution && ingestionId === record.ingestionId) ??
    null;
  if (replaced !== null && !isNewer(record, replaced)) return null;
  const others = points.filter((point) => point !== replaced);
  const before = others.filter((point) => isBefore(point, record));
  const priorState = before.at(-1)?.state ?? null;
  const next = others[before.length];
  return {
    priorState,
    change: changeOf(priorState, record.state),
    replaced,
    next: next !== undefined && isAltered(next, priorState, record, timeline) ? next : null,
  };
}

/** How a point of the timeline changed the finding. */
export function changeAt({ isResolution, priorState, state }: TimelinePoint): FindingChange {
  return isResolution ? 'resolved' : changeOf(priorState, state);
}

/** All known points in chronological order. */
function pointsOf({ events, newest, first }: Timeline): readonly TimelinePoint[] {
  const isNewest = (point: TimelinePoint) => !point.isResolution && point.ingestionId === newest.ingestionId;
  const points = [...events.filter((event) => !isNewest(event)), newest].sort(byTime);
  const isFirst = ({ isResolution, ingestionId, occurredAt }: TimelinePoint) =>
    !isResolution &&
    (first.ingestionId === null ? occurredAt === first.occurredAt : ingestionId === first.ingestionId);
  const hasFirst = points.some(isFirst);
  const [next] = points;
  if (hasFirst || next === undefined) return points;
  const state = unresolved(next.priorState ?? next.state);
  return [{ ...first, isResolution: false, state, priorState: null }, ...points];
}

/** Whether a record replaces another one of its upload. Of equal records, the one that was processed first is kept. */
function isNewer(record: LateRecord, other: TimelinePoint): boolean {
  const rank = (state: number) => rankOf({ status: statusOf(state), muted: isMuted(state) });
  return (record.occurredAt - other.occurredAt || rank(record.state) - rank(other.state)) > 0;
}

/** Records with the time of a resolution follow it; those with the same time are in the order of their uploads. */
function byTime(a: TimelinePoint, b: TimelinePoint): number {
  const [first, second] = [a.ingestionId ?? '', b.ingestionId ?? ''];
  return (
    a.occurredAt - b.occurredAt ||
    Number(b.isResolution) - Number(a.isResolution) ||
    (first < second ? -1 : 1)
  );
}

function isBefore(point: TimelinePoint, record: LateRecord): boolean {
  if (point.occurredAt !== record.occurredAt) return point.occurredAt < record.occurredAt;
  return point.isResolution || (point.ingestionId ?? '') < record.ingestionId;
}

/** Whether the state just before the next point is that of the record, and not the known one. */
function isAltered(
  next: TimelinePoint,
  priorState: number | null,
  record: LateRecord,
  { newest, previousAt }: Timeline,
): boolean {
  if (next.isResolution || next.scanId === null) return false;
  // A known first record, unless an earlier release processed those before it.
  if (next.priorState === null) return priorState === null;
  // An unknown record between them has the prior state.
  if (next === newest && previousAt !== null && previousAt > record.occurredAt) return false;
  return next.priorState !== record.state;
}
