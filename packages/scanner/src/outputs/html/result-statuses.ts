import type { resultStatus } from '../count-findings.ts';

type ResultStatus = ReturnType<typeof resultStatus>;

/** All result statuses, in display order. */
export const RESULT_STATUSES = ['FAIL', 'MANUAL', 'PASS', 'MUTED'] as const satisfies readonly ResultStatus[];

export const RESULT_STATUS_TITLES = {
  FAIL: 'Fail',
  MANUAL: 'Manual',
  PASS: 'Pass',
  MUTED: 'Muted',
} as const satisfies Record<ResultStatus, string>;
