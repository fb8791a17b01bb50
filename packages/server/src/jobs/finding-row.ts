import type { FindingStatus } from '@sluice/ocsf';

/** What the records of one finding in one frame tell of its past. Times are in milliseconds since 1970. */
export interface FindingHistory {
  /** Of the newest record. */
  readonly time: number;
  readonly status: FindingStatus;
  readonly muted: boolean;
  readonly recordIndex: number;
  readonly firstSeenAt: number;
  readonly statusChangedAt: number;
  readonly otherStatusAt: number | null;
}

/** The more severe of two results with the same time in one upload wins: FAIL, MANUAL, PASS, and unmuted before muted. */
const STATUS_RANKS = { FAIL: 4, MANUAL: 2, PASS: 0 } as const;

function rankOf({ status, muted }: FindingHistory): number {
  return STATUS_RANKS[status] + (muted ? 0 : 1);
}

/** The rank of a row, in SQL. */
export function rankSql(row: string): string {
  const whens = Object.entries(STATUS_RANKS).map(([status, rank]) => `when '${status}' then ${rank}`);
  return `(case ${row}.status ${whens.join(' ')} end + (not ${row}.muted)::int)`;
}

/**
 * Two rows of one finding in one frame, as one: the newer record (time, then result, then place) is its state; the status
 * has held since the earliest record of that status after the latest record of another. `merge-findings.ts`
 * has the same rule in SQL, for rows of different frames.
 */
export function combineRows<Row extends FindingHistory>(a: Row, b: Row): Row {
  const aIsNewer = (a.time - b.time || rankOf(a) - rankOf(b) || a.recordIndex - b.recordIndex) > 0;
  const [newer, older] = aIsNewer ? [a, b] : [b, a];
  const sameStatus = newer.status === older.status;
  const otherStatusAt = latest(newer.otherStatusAt, sameStatus ? older.otherStatusAt : older.time);
  const sameSince = [newer.statusChangedAt, ...(sameStatus ? [older.statusChangedAt, older.time] : [])];
  const afterOther = sameSince.filter((time) => otherStatusAt === null || time > otherStatusAt);
  return {
    ...newer,
    firstSeenAt: Math.min(newer.firstSeenAt, older.firstSeenAt),
    statusChangedAt: Math.min(newer.time, ...afterOther),
    otherStatusAt,
  };
}

function latest(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.max(a, b);
}
