import type { FindingStatus } from '@sluice/ocsf';

/** The history of a finding according to its records in one frame. Times are in milliseconds since 1970. */
interface FindingHistory {
  readonly firstSeenAt: number;
  readonly statusChangedAt: number;
  readonly otherStatusAt: number | null;
}

/** The newest record of a finding in one frame. */
export interface NewestRecord {
  /** In milliseconds since 1970. */
  readonly time: number;
  readonly status: FindingStatus;
  readonly muted: boolean;
  readonly recordIndex: number;
  /** Null if the frame has no other record of the finding, as is nearly always the case. */
  readonly history: FindingHistory | null;
}

/** The history of the finding. A single record is also the first one with its status. */
export function historyOf({ time, history }: NewestRecord): FindingHistory {
  return history ?? { firstSeenAt: time, statusChangedAt: time, otherStatusAt: null };
}

/**
 * Combines two rows of the same finding in one frame. The newer record (by time, then result, then position) determines
 * the finding's state. The status dates from the earliest record with that status after the latest record with a
 * different status. `merge-findings.ts` applies the same rule with SQL to rows from different frames.
 */
export function combineRows<Row extends NewestRecord>(a: Row, b: Row): Row {
  const aIsNewer = (a.time - b.time || rankOf(a) - rankOf(b) || a.recordIndex - b.recordIndex) > 0;
  const [newer, older] = aIsNewer ? [a, b] : [b, a];
  const [recent, past] = [historyOf(newer), historyOf(older)];
  const sameStatus = newer.status === older.status;
  const otherStatusAt = latest(recent.otherStatusAt, sameStatus ? past.otherStatusAt : older.time);
  const sameSince = [recent.statusChangedAt, ...(sameStatus ? [past.statusChangedAt, older.time] : [])];
  const afterOther = sameSince.filter((time) => otherStatusAt === null || time > otherStatusAt);
  return {
    ...newer,
    history: {
      firstSeenAt: Math.min(recent.firstSeenAt, past.firstSeenAt),
      statusChangedAt: Math.min(newer.time, ...afterOther),
      otherStatusAt,
    },
  };
}

function latest(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.max(a, b);
}

/**
 * If two results in one upload have the same time, the more severe wins. The order is FAIL, MANUAL, PASS, and unmuted
 * before muted.
 */
const STATUS_RANKS = { FAIL: 4, MANUAL: 2, PASS: 0 } as const;

export function rankOf({ status, muted }: Pick<NewestRecord, 'status' | 'muted'>): number {
  return STATUS_RANKS[status] + (muted ? 0 : 1);
}

/** SQL expression for the rank of a row. Not a simple CASE, which Citus deparses incorrectly. */
export function rankSql(row: string): string {
  const whens = Object.entries(STATUS_RANKS).map(
    ([status, rank]) => `when ${row}.status = '${status}' then ${rank}`,
  );
  return `(case ${whens.join(' ')} end + (not ${row}.muted)::int)`;
}
