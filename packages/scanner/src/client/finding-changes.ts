import { z } from 'zod';

/**
 * All severities of findings, in the order of the service. `unknown`: the record has none. `other`: not an OCSF severity,
 * so it may be more severe than any of them.
 */
export const FINDING_SEVERITIES = [
  'unknown',
  'informational',
  'low',
  'medium',
  'high',
  'critical',
  'fatal',
  'other',
] as const;

export type FindingSeverity = (typeof FINDING_SEVERITIES)[number];

/** The number of findings by severity. */
export type SeverityCounts = Readonly<Record<string, number>>;

/** How an upload changed findings. Each finding in the file has one of the changes from `new` to `unchanged`. */
export interface FindingChanges {
  readonly new: SeverityCounts;
  readonly reopened: SeverityCounts;
  readonly regressed: SeverityCounts;
  readonly fixed: SeverityCounts;
  readonly unchanged: SeverityCounts;
  /** Findings that the upload is complete for, but does not contain. */
  readonly resolved: SeverityCounts;
  /** Findings in the file with the status FAIL that are not muted. */
  readonly failed: SeverityCounts;
  /** The failed findings that are new, reopened or regressed. */
  readonly newlyFailed: SeverityCounts;
}

const counts = z.record(z.string(), z.number().int().nonnegative());

/** `meta.findings` of an ended job. */
export const findingChanges = z
  .object({
    new: counts,
    reopened: counts,
    regressed: counts,
    fixed: counts,
    unchanged: counts,
    resolved: counts,
    failed: counts,
    newly_failed: counts,
  })
  .transform(({ newly_failed: newlyFailed, ...changes }): FindingChanges => ({ ...changes, newlyFailed }));

/** The sum of the counts of some severities; by default, of all. */
export function sumCounts(
  counts: SeverityCounts,
  isIncluded: (severity: string) => boolean = () => true,
): number {
  return Object.entries(counts)
    .filter(([severity]) => isIncluded(severity))
    .reduce((sum, [, count]) => sum + count, 0);
}
