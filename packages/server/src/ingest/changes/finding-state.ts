import type { DetectionFinding } from '@sluice/ocsf';

/** How a scan changes a finding, compared with the finding's state just before. The names are those of the API. */
export const FINDING_CHANGES = ['unchanged', 'new', 'reopened', 'regressed', 'fixed', 'resolved'] as const;

export type FindingChange = (typeof FINDING_CHANGES)[number];

/** The statuses in the order of their codes. */
export const FINDING_STATUSES = ['PASS', 'FAIL', 'MANUAL'] as const;

export type FindingStatus = (typeof FINDING_STATUSES)[number];

// The bits of `finding_state_code` (migration 0036). The severity precedes them.
const STATUS_BITS = 3;
const MUTED = 4;
const RESOLVED = 8;
const SEVERITY_UNIT = 16;

/** The state of a finding as one number, like `finding_state_code` (migration 0036). */
export function stateCode({
  severity,
  status,
  muted,
}: Pick<DetectionFinding, 'severity' | 'status' | 'muted'>): number {
  return severity * SEVERITY_UNIT + (muted ? MUTED : 0) + FINDING_STATUSES.indexOf(status);
}

/** SQL for the `finding_state_code` of a finding. */
export const stateSql = (finding: string, isResolved: string) =>
  `finding_state_code(${finding}.severity, ${finding}.status, ${finding}.muted, ${isResolved})`;

/** The OCSF `severity_id` of a state. */
export function severityOf(state: number): number {
  return Math.floor(state / SEVERITY_UNIT);
}

export function statusOf(state: number): FindingStatus {
  const status = FINDING_STATUSES[state & STATUS_BITS];
  if (status === undefined) throw new TypeError(`${state} is not the state of a finding`);
  return status;
}

export function isMuted(state: number): boolean {
  return (state & MUTED) !== 0;
}

export function isResolved(state: number): boolean {
  return (state & RESOLVED) !== 0;
}

/** Whether the state counts as failing: FAIL, and not muted. */
export function isFailing(state: number): boolean {
  return statusOf(state) === 'FAIL' && !isMuted(state);
}

/** The same state, but resolved. */
export function resolved(state: number): number {
  return state | RESOLVED;
}

/** The same state, but open. */
export function unresolved(state: number): number {
  return state & ~RESOLVED;
}

/** How a record with this state changes a finding. `prior` is null if the record is the finding's first. */
export function changeOf(prior: number | null, state: number): FindingChange {
  if (prior === null) return 'new';
  if (isResolved(prior)) return 'reopened';
  const [before, now] = [statusOf(prior), statusOf(state)];
  if (now === 'FAIL' && before !== 'FAIL') return 'regressed';
  if (now === 'PASS' && before === 'FAIL') return 'fixed';
  return 'unchanged';
}
