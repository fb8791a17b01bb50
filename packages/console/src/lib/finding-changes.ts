import { FINDING_STATES, type Scan, SEVERITIES, type Severity } from './api/types.ts';

/** How a scan or an upload changes findings. The order is the display order: the changes for the worse are first. */
export const CHANGES = ['regressed', 'new', 'reopened', 'fixed', 'resolved', 'unchanged'] as const;
export type Change = (typeof CHANGES)[number];

/** The number of findings with each change. The counts are null if an earlier release accepted the upload. */
export type ChangeTotals = Pick<Scan['attributes'], Change>;

export type SeverityCounts = Readonly<Record<Severity, number>>;

export function sumCounts(counts: SeverityCounts): number {
  return SEVERITIES.reduce((total, severity) => total + counts[severity], 0);
}

/** The URL parameters of the findings page for the findings that a scan or an upload, given by its ID, changed. */
export function changedFindingsSearch(change: Change, id: string): Readonly<Record<string, string>> {
  return { [`${change}_in`]: id, state: FINDING_STATES.join() };
}
