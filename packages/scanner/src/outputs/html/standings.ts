import type { standing } from '../count-findings.ts';

type Standing = ReturnType<typeof standing>;

/** What a reader looks for first comes first. */
export const STANDINGS = ['FAIL', 'MANUAL', 'PASS', 'MUTED'] as const satisfies readonly Standing[];

export const STANDING_TITLES = {
  FAIL: 'Fail',
  MANUAL: 'Manual',
  PASS: 'Pass',
  MUTED: 'Muted',
} as const satisfies Record<Standing, string>;
