import type { Severity, Status } from '../checks/check.ts';
import type { Finding } from '../finding.ts';

/** Muted findings are counted as muted and nowhere else, so that the numbers add up to `total`. */
export interface FindingCounts {
  readonly total: number;
  readonly failed: number;
  readonly passed: number;
  readonly manual: number;
  readonly muted: number;
  /** The failed ones by severity. */
  readonly failedBySeverity: Readonly<Record<Severity, number>>;
}

/** What a finding counts as: its status, unless it is muted. */
export function resultStatus({ verdict, muted }: Finding): Status | 'MUTED' {
  return muted ? 'MUTED' : verdict.status;
}

export function countFindings(findings: readonly Finding[]): FindingCounts {
  const by = { FAIL: 0, PASS: 0, MANUAL: 0, MUTED: 0 };
  const failedBySeverity = { critical: 0, high: 0, medium: 0, low: 0, informational: 0 };
  for (const finding of findings) {
    const as = resultStatus(finding);
    by[as] += 1;
    if (as === 'FAIL') failedBySeverity[finding.check.severity] += 1;
  }
  return {
    total: findings.length,
    failed: by.FAIL,
    passed: by.PASS,
    manual: by.MANUAL,
    muted: by.MUTED,
    failedBySeverity,
  };
}

/** The findings under their key, the keys in the order in which they come first. */
export function groupFindings(
  findings: readonly Finding[],
  keyOf: (finding: Finding) => string,
): ReadonlyMap<string, readonly Finding[]> {
  // Not Map.groupBy: Node.js 20 does not have it.
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = keyOf(finding);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [finding]);
    else group.push(finding);
  }
  return groups;
}

/** The same with the keys in alphabetical order. */
export function groupsByName(
  ...grouping: Parameters<typeof groupFindings>
): readonly (readonly [string, readonly Finding[]])[] {
  return [...groupFindings(...grouping)].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** `33.33%`, with two decimals; of nothing it is `0.00%`. */
export function percentage(part: number, whole: number): string {
  return `${(whole === 0 ? 0 : (100 * part) / whole).toFixed(2)}%`;
}
