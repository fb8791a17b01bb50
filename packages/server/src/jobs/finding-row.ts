import type { DetectionFinding } from '@sluice/ocsf';
import { derivedId } from '../derived-id.ts';

/** A finding as one frame has it: its newest record there, and what older records of it there add. */
export interface FindingRow {
  readonly id: string;
  readonly providerId: string;
  readonly finding: DetectionFinding;
  readonly recordIndex: number;
  /** Place of the record in the frame. */
  readonly offset: number;
  readonly bytes: number;
  /** Times in milliseconds since 1970. */
  readonly firstSeenAt: number;
  readonly statusChangedAt: number;
  readonly otherStatusAt: number | null;
}

/** The id of a finding, the same in every upload. The provider's id stands for tenant and account. */
export function findingId(providerId: string, { checkId, uid, resourceUid }: DetectionFinding): string {
  // U+0000 cannot be part of a value: it was replaced when the record was read.
  return derivedId(providerId, checkId, uid, resourceUid ?? '');
}

/**
 * Two rows of one finding in one frame, as one: the newer record (time, then place) is its state; the status
 * has held since the earliest record of that status after the latest record of another. `merge-findings.ts`
 * has the same rule in SQL, for rows of different frames.
 */
export function combineRows(a: FindingRow, b: FindingRow): FindingRow {
  const aIsNewer =
    a.finding.time > b.finding.time || (a.finding.time === b.finding.time && a.recordIndex > b.recordIndex);
  const [newer, older] = aIsNewer ? [a, b] : [b, a];
  const sameStatus = newer.finding.status === older.finding.status;
  const otherStatusAt = latest(newer.otherStatusAt, sameStatus ? older.otherStatusAt : older.finding.time);
  const sameSince = [
    newer.statusChangedAt,
    ...(sameStatus ? [older.statusChangedAt, older.finding.time] : []),
  ];
  const afterOther = sameSince.filter((time) => otherStatusAt === null || time > otherStatusAt);
  return {
    ...newer,
    firstSeenAt: Math.min(newer.firstSeenAt, older.firstSeenAt),
    statusChangedAt: Math.min(newer.finding.time, ...afterOther),
    otherStatusAt,
  };
}

function latest(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.max(a, b);
}
