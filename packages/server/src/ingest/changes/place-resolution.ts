import { isResolved, resolved, unresolved } from './finding-state.ts';
import { type AlteredPoint, pointsOf, type Timeline, type TimelinePoint } from './place-record.ts';
import { nextWith, type Sighting } from './sighting.ts';

/** A coverage that holds a finding whose record its upload does not contain. */
export interface FindingCoverage {
  /** The upload, or the id of a user's coverage. */
  readonly coverageId: string;
  /** In milliseconds since 1970. */
  readonly occurredAt: number;
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
  sighting?: Sighting,
): PlacedResolution | null {
  const points = pointsOf(timeline);
  if (points.some((point) => point.isResolution && point.ingestionId === coverageId)) return null;
  const place = points.filter(
    (point) =>
      point.occurredAt < occurredAt ||
      (point.isResolution && point.occurredAt === occurredAt && (point.ingestionId ?? '') < coverageId),
  ).length;
  const [before, known] = [points[place - 1], points[place]];
  if (before === undefined || isResolved(before.state)) return null;
  const next = nextWith(sighting, points, known);
  if (next === undefined || next === null) return null;
  const state = unresolved(before.state);
  const priorState = resolved(state);
  if (next !== known) return { state, replaced: null, reopened: { point: next, priorState } };
  if (next.isResolution) return { state, replaced: next, reopened: null };
  const { newest, previousAt } = timeline;
  const followsUnknown = next === newest && previousAt !== null && previousAt >= occurredAt;
  if (followsUnknown || next.scanId === null || next.priorState === null) return null;
  return { state, replaced: null, reopened: { point: next, priorState } };
}
