import type { LifecyclePolicy, LifecycleRule } from '../../directory/snapshot.ts';
import { compareText } from '../policy-rules.ts';

/** A lifecycle policy with one of its rules. A policy without rules is an incomplete automation. */
export interface Automation {
  /** The ID of the rule, or the ID of a policy without rules. */
  readonly id: string;
  readonly name: string;
  readonly status: string;
  /** The API does not return the schedule, so the status of the policy is used instead. */
  readonly scheduleStatus: string;
  readonly inactivityDays: number | null;
  /** The new status of the user, such as `SUSPENDED`. */
  readonly action: string | null;
  /** IDs of the groups that the automation applies to. */
  readonly groups: readonly string[];
}

const DISABLING: ReadonlySet<string> = new Set(['SUSPENDED', 'DEACTIVATED', 'DEPROVISIONED']);

export function automationsOf(
  policy: LifecyclePolicy,
  rules: readonly LifecycleRule[],
): readonly Automation[] {
  const { inactivityDays, groups } = policy;
  const shared = { inactivityDays, groups, scheduleStatus: statusOf(policy) };
  if (rules.length === 0) {
    const name = policy.name || '(unnamed automation)';
    return [{ ...shared, id: policy.id, name, status: statusOf(policy), action: null }];
  }
  return rules.map((rule) => ({
    ...shared,
    id: rule.id,
    name: rule.name || policy.name || '(unnamed)',
    status: statusOf(rule),
    action: rule.targetStatus?.toUpperCase() ?? null,
  }));
}

/**
 * The reasons why an automation does not disable users after `maxDays` days of inactivity; empty if the automation
 * complies.
 */
export function problemsOf(automation: Automation, maxDays: number): readonly string[] {
  const { status, scheduleStatus, inactivityDays: days, action, groups } = automation;
  const problems: string[] = [];
  if (status !== 'ACTIVE') problems.push(`status ${status}`);
  if (scheduleStatus !== 'ACTIVE') problems.push(`schedule ${scheduleStatus}`);
  if (days === null) problems.push('no inactivity condition in days');
  else if (days < 1)
    problems.push(`inactivity of ${days} days, which sets no limit (maximum ${maxDays} days)`);
  else if (days > maxDays) problems.push(`inactivity of ${days} days (maximum ${maxDays} days)`);
  if (action === null || !DISABLING.has(action)) problems.push(`action ${action ?? 'unset'}`);
  if (groups.length === 0) problems.push('no assigned groups');
  return problems;
}

/** Sorts by status, schedule, distance from the threshold in days, and name. */
export function closestFirst(maxDays: number): (a: Automation, b: Automation) => number {
  const distance = ({ inactivityDays }: Automation) =>
    inactivityDays === null ? Number.MAX_VALUE : Math.abs(inactivityDays - maxDays);
  return (a, b) =>
    Number(b.status === 'ACTIVE') - Number(a.status === 'ACTIVE') ||
    Number(b.scheduleStatus === 'ACTIVE') - Number(a.scheduleStatus === 'ACTIVE') ||
    distance(a) - distance(b) ||
    compareText(a.name, b.name);
}

/** Unlike other policies, an automation without a status does not count as active. */
function statusOf({ status }: LifecyclePolicy | LifecycleRule): string {
  return status?.toUpperCase() || 'unset';
}
