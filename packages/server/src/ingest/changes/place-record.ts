import { rankOf } from '../merge/combine-rows.ts';
import { changeOf, type FindingChange, isMuted, resolved, statusOf, unresolved } from './finding-state.ts';
import { nextWith, type Sighting } from './sighting.ts';

// A record is late if a newer record of its finding was processed before. Its place among the known records and resolutions decides how
// its scan changed the finding, and may alter how the next scan did. The same is true for a record of an upload that already has an
// older one, if another upload was processed between them.

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

/** A record to place on the timeline of its finding. */
export interface NewRecord {
  readonly occurredAt: number;
  readonly ingestionId: string;
  readonly scanId: string;
  readonly state: number;
}

/** A known record or resolution with another prior state than before. */
export interface AlteredPoint {
  readonly point: TimelinePoint;
  readonly priorState: number | null;
}

export interface PlacedRecord {
  readonly priorState: number | null;
  readonly change: FindingChange;
  /** An older record of the same upload, which this one replaces. */
  readonly replaced: TimelinePoint | null;
  /** The next record, and the record or resolution that followed the replaced record, if their prior states are others now. */
  readonly altered: readonly AlteredPoint[];
}

/** What else is known of the time after a record. */
export interface AfterRecord {
  /** Whether a coverage between this record and the next one resolves the finding, see `gapAfter`. */
  readonly isResolved: boolean;
  /** The first scan after the record that contains the finding, see `changesNext`. */
  readonly sighting: Sighting | undefined;
}

/** Places a record on the timeline of its finding. Returns null if its upload has a newer one. */
export function placeRecord(
  timeline: Timeline,
  record: NewRecord,
  { isResolved, sighting }: AfterRecord = { isResolved: false, sighting: undefined },
): PlacedRecord | null {
  const points = pointsOf(timeline);
  const replaced = findReplaced(points, record);
  if (replaced !== null && !isNewer(record, replaced)) return null;
  const others = points.filter((point) => point !== replaced);
  const place = others.filter((point) => isBefore(point, record)).length;
  const priorState = others[place - 1]?.state ?? null;
  const state = isResolved ? resolved(record.state) : record.state;
  const altered: AlteredPoint[] = [];
  const next = nextWith(sighting, points, others[place]);
  if (next?.isResolution === true) altered.push(...alteredResolution(next, others[place + 1], state));
  else if (next && isAltered(next, { ...record, priorState, state }, timeline))
    altered.push({ point: next, priorState: state });
  if (replaced !== null) altered.push(...alteredByReplacement(timeline, record, { points, replaced, next }));
  return { priorState, change: changeOf(priorState, record.state), replaced, altered };
}

/** A resolution that now resolves another state, and the record that reopens the finding. */
function alteredResolution(
  resolution: TimelinePoint,
  reopening: TimelinePoint | undefined,
  state: number,
): readonly AlteredPoint[] {
  if (resolution.priorState === state) return [];
  const altered = [{ point: resolution, priorState: state }];
  if (reopening === undefined || reopening.isResolution) return altered;
  return [...altered, { point: reopening, priorState: resolved(state) }];
}

interface Replacement {
  /** With the replaced record. */
  readonly points: readonly TimelinePoint[];
  readonly replaced: TimelinePoint;
  /** What follows the record that replaces it. */
  readonly next: TimelinePoint | null | undefined;
}

/** The record or resolution that followed a replaced record, unless it also follows the record that replaces it. */
function alteredByReplacement(
  timeline: Timeline,
  record: NewRecord,
  { points, replaced, next }: Replacement,
): readonly AlteredPoint[] {
  const place = points.indexOf(replaced);
  const earlier = points[place - 1]?.state ?? null;
  const [follower, reopening] = points.slice(place + 1);
  if (follower === undefined || follower === next) return [];
  if (!follower.isResolution) {
    const isOther = isAltered(follower, { ...replaced, state: earlier }, timeline);
    return isOther ? [{ point: follower, priorState: earlier }] : [];
  }
  // A resolution is altered only if it resolved the replaced record.
  if (follower.priorState !== replaced.state) return [];
  // If the new record is between the resolution and the record that reopens the finding, that is altered as the next one.
  const reopened = reopening === next ? undefined : reopening;
  return alteredResolution(follower, reopened, unresolved(earlier ?? record.state));
}

/**
 * Whether a record has another state than the finding had just before, so that it alters the next record, which is unknown
 * if it changed nothing.
 */
export function changesNext(timeline: Timeline, record: NewRecord): boolean {
  const points = pointsOf(timeline);
  const { before, next } = neighborsOf(points, record, findReplaced(points, record));
  return before !== undefined && next !== undefined && !before.isResolution && before.state !== record.state;
}

/** The time between a record and the next known one of its finding, in milliseconds since 1970. */
export interface Gap {
  readonly from: number;
  /** Inclusive: a coverage with the time of a record precedes it. */
  readonly to: number;
  readonly nextIngestionId: string | null;
}

/**
 * The time after a late record, if it had no earlier one or its finding was resolved. A coverage in it might then resolve
 * the finding. If the finding was open before, such a coverage is on the timeline, or is placed at the end of its job. Null
 * also if the next record, which would reopen the finding, has no known scan.
 */
export function gapAfter(timeline: Timeline, record: NewRecord): Gap | null {
  const points = pointsOf(timeline);
  const { before, next } = neighborsOf(points, record, findReplaced(points, record));
  if (next === undefined || next.isResolution || next.scanId === null) return null;
  if (before !== undefined && !before.isResolution) return null;
  return { from: record.occurredAt, to: next.occurredAt, nextIngestionId: next.ingestionId };
}

function findReplaced(points: readonly TimelinePoint[], { ingestionId }: NewRecord): TimelinePoint | null {
  return points.find((point) => !point.isResolution && point.ingestionId === ingestionId) ?? null;
}

/** The points just before and after a new record, without the one that it replaces. */
function neighborsOf(points: readonly TimelinePoint[], record: NewRecord, replaced: TimelinePoint | null) {
  const others = points.filter((point) => point !== replaced);
  const place = others.filter((point) => isBefore(point, record)).length;
  return { before: others[place - 1], next: others[place] };
}

/** How a point of the timeline changed the finding. */
export function changeAt({ isResolution, priorState, state }: TimelinePoint): FindingChange {
  return isResolution ? 'resolved' : changeOf(priorState, state);
}

/** All known points in chronological order. */
export function pointsOf({ events, newest, first }: Timeline): readonly TimelinePoint[] {
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
function isNewer(record: NewRecord, other: TimelinePoint): boolean {
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

function isBefore(point: TimelinePoint, record: NewRecord): boolean {
  if (point.occurredAt !== record.occurredAt) return point.occurredAt < record.occurredAt;
  return point.isResolution || (point.ingestionId ?? '') < record.ingestionId;
}

/** Whether `state` is now the state just before a point, and was not before. `occurredAt` is the time of the change. */
function isAltered(
  point: TimelinePoint,
  {
    occurredAt,
    priorState,
    state,
  }: Pick<NewRecord, 'occurredAt'> & { readonly priorState: number | null; readonly state: number | null },
  { newest, previousAt }: Timeline,
): boolean {
  if (point.isResolution || point.scanId === null) return false;
  // A known first record, unless an earlier release processed those before it.
  if (point.priorState === null) return priorState === null;
  // An unknown record between them has the prior state.
  if (point === newest && previousAt !== null && previousAt > occurredAt) return false;
  return point.priorState !== state;
}
