import type { Severity, Status } from '../checks/check.ts';
import type { Finding } from '../checks/finding.ts';

/** Counts of findings. Muted findings are counted only as muted, so that the counts add up to `total`. */
export interface FindingCounts {
  readonly total: number;
  readonly failed: number;
  readonly passed: number;
  readonly manual: number;
  readonly muted: number;
  /** Failed findings by severity. */
  readonly failedBySeverity: Readonly<Record<Severity, number>>;
}

export type ResultStatus = Status | 'MUTED';

/** The status under which a finding is counted: `MUTED` if it is muted. */
export function resultStatus({ verdict, muted }: Finding): ResultStatus {
  return muted ? 'MUTED' : verdict.status;
}

/** Counts findings by status, and failed findings by severity. */
export function countFindings(findings: readonly Finding[]): FindingCounts {
  const by = { FAIL: 0, PASS: 0, MANUAL: 0, MUTED: 0 };
  const failedBySeverity = { critical: 0, high: 0, medium: 0, low: 0, informational: 0 };
  for (const finding of findings) {
    const status = resultStatus(finding);
    by[status] += 1;
    if (status === 'FAIL') failedBySeverity[finding.check.severity] += 1;
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

/** Groups findings by key, in the order of the first occurrence of each key. */
export function groupFindings(
  findings: readonly Finding[],
  keyOf: (finding: Finding) => string,
): ReadonlyMap<string, readonly Finding[]> {
  // Map.groupBy is not available in Node.js 20.
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = keyOf(finding);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [finding]);
    else group.push(finding);
  }
  return groups;
}

/** Groups findings by key, with the keys in alphabetical order. */
export function groupsByName(
  ...grouping: Parameters<typeof groupFindings>
): readonly (readonly [string, readonly Finding[]])[] {
  return [...groupFindings(...grouping)].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Formats a percentage with two decimals, such as `33.33%`; `0.00%` if the total is 0. */
export function percentage(part: number, total: number): string {
  return `${(total === 0 ? 0 : (100 * part) / total).toFixed(2)}%`;
}
