import { isResolved, resolved, unresolved } from './finding-state.ts';
import { type AlteredPoint, pointsOf, type Timeline, type TimelinePoint } from './place-record.ts';

/** A coverage that holds a finding whose record its upload does not contain. */
export interface FindingCoverage {
  /** The upload, or the id of a user's coverage. */
  readonly coverageId: string;
  /** In milliseconds since 1970. */
  readonly occurredAt: number;
}

/** A scan with a record of a finding. */
export interface Sighting {
  readonly scanId: string;
  readonly ingestionId: string;
  /** Start of the scan, in milliseconds since 1970. */
  readonly startedAt: number;
  /** `finding_state_code`, if the record changed nothing; otherwise null. */
  readonly state: number | null;
}

/** The resolution of a finding before its newest record. */
export interface PlacedResolution {
  /** `finding_state_code` of the finding while it was open. */
  readonly state: number;
  /** A later resolution, whose place it takes. */
  readonly replaced: TimelinePoint | null;
  /** The next record, which reopens the finding. Null if the replaced resolution precedes it. */
  readonly reopened: AlteredPoint | null;
}

/**
 * Places a resolution on the timeline of its finding, before records with the same time. Returns null if the finding was
 * resolved at this time, had no record, or if the record that would reopen it is unknown. `sighting` is the first one after
 * the resolution.
 */
export function placeResolution(
  timeline: Timeline,
  { coverageId, occurredAt }: FindingCoverage,
  sighting: Sighting | null,
): PlacedResolution | null {
  const points = pointsOf(timeline);
  if (points.some((point) => point.isResolution && point.ingestionId === coverageId)) return null;
  const place = points.filter(
    (point) =>
      point.occurredAt < occurredAt ||
      (point.isResolution && point.occurredAt === occurredAt && (point.ingestionId ?? '') < coverageId),
  ).length;
  const [before, next] = [points[place - 1], points[place]];
  if (before === undefined || next === undefined || isResolved(before.state)) return null;
  const state = unresolved(before.state);
  const priorState = resolved(state);
  if (sighting !== null && isUnknown(sighting, points) && isBefore(sighting, next)) {
    const { startedAt: occurredAt, state: unchanged, ...scan } = sighting;
    if (unchanged === null) return null;
    const point = { ...scan, isResolution: false, occurredAt, state: unchanged, priorState: unchanged };
    return { state, replaced: null, reopened: { point, priorState } };
  }
  if (next.isResolution) return { state, replaced: next, reopened: null };
  const { newest, previousAt } = timeline;
  const followsUnknown = next === newest && previousAt !== null && previousAt >= occurredAt;
  if (followsUnknown || next.scanId === null || next.priorState === null) return null;
  return { state, replaced: null, reopened: { point: next, priorState } };
}

function isUnknown({ ingestionId }: Sighting, points: readonly TimelinePoint[]): boolean {
  return !points.some((point) => !point.isResolution && point.ingestionId === ingestionId);
}

/** Of records with the same time, that of the earlier upload comes first. */
function isBefore({ startedAt, ingestionId }: Sighting, next: TimelinePoint): boolean {
  if (startedAt !== next.occurredAt) return startedAt < next.occurredAt;
  return !next.isResolution && ingestionId < (next.ingestionId ?? '');
}
