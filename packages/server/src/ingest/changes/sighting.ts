import type { TimelinePoint } from './place-record.ts';

/** A scan with a record of a finding. */
export interface Sighting {
  readonly scanId: string;
  readonly ingestionId: string;
  /** Start of the scan, in milliseconds since 1970. */
  readonly startedAt: number;
  /** `finding_state_code`, if the record changed nothing; otherwise null. */
  readonly state: number | null;
}

/**
 * The next record or resolution of a finding: the next known one, or the record of a sighting before it that is unknown
 * because it changed nothing. Null if its state is unknown as well.
 */
export function nextWith(
  sighting: Sighting | undefined,
  points: readonly TimelinePoint[],
  known: TimelinePoint | undefined,
): TimelinePoint | null | undefined {
  if (sighting === undefined || known === undefined) return known;
  if (!isUnknown(sighting, points) || !isBefore(sighting, known)) return known;
  const { startedAt: occurredAt, state, ...scan } = sighting;
  return state === null ? null : { ...scan, isResolution: false, occurredAt, state, priorState: state };
}

function isUnknown({ ingestionId }: Sighting, points: readonly TimelinePoint[]): boolean {
  return !points.some((point) => !point.isResolution && point.ingestionId === ingestionId);
}

/** Of records with the same time, that of the earlier upload comes first. */
function isBefore({ startedAt, ingestionId }: Sighting, next: TimelinePoint): boolean {
  if (startedAt !== next.occurredAt) return startedAt < next.occurredAt;
  return !next.isResolution && ingestionId < (next.ingestionId ?? '');
}
