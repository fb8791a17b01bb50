import type { LifecyclePolicy } from '../../directory/snapshot.ts';
import { type EvaluationContext, unreadResource, unreadVerdict, type Verdict } from '../check.ts';
import { connectedDirectories, type DirectorySources } from '../connected-directory.ts';
import { type Automation, automationsOf, closestFirst, problemsOf } from './automation.ts';

/**
 * Returns one PASS verdict per compliant automation. If there is none, returns a single FAIL verdict, or MANUAL if
 * compliance cannot be determined.
 */
export function evaluateInactivity({
  snapshot,
  thresholds,
  dialect,
}: EvaluationContext<'lifecyclePolicies' | keyof DirectorySources>): readonly Verdict[] {
  const { lifecyclePolicies: policies } = snapshot;
  if (policies.kind === 'unread') {
    const resource = unreadResource('directory-user', policies.problem);
    return [unreadVerdict(policies.problem, resource, 'The lifecycle policies of the automations')];
  }
  const { names, unread } = connectedDirectories(snapshot, dialect);
  if (names.length > 0) return [externalDirectoryVerdict(names, thresholds.maxInactivityDays)];
  if (unread !== undefined) {
    const subject = `${unread.subject}, which show whether an external directory disables inactive users,`;
    return [unreadVerdict(unread.problem, unreadResource('directory-user', unread.problem), subject)];
  }
  if (policies.value.length === 0) {
    const detail = `The ${dialect.title} organization has no automations. An active automation must suspend or deactivate users after at most ${thresholds.maxInactivityDays} days of inactivity.`;
    return [{ status: 'FAIL', detail, resource: NO_AUTOMATIONS }];
  }
  return evaluateAutomations(policies.value, thresholds.maxInactivityDays);
}

const NO_AUTOMATIONS = {
  id: 'directory-user-inactivity-no-automations',
  name: '(no automations configured)',
  data: null,
} as const;

function evaluateAutomations(policies: readonly LifecyclePolicy[], maxDays: number): readonly Verdict[] {
  const automations = policies.flatMap((policy) =>
    policy.rules.kind === 'read' ? automationsOf(policy, policy.rules.value) : [],
  );
  const compliant = automations.filter((automation) => problemsOf(automation, maxDays).length === 0);
  if (compliant.length > 0) return compliant.map((automation) => compliantVerdict(automation, maxDays));
  // An automation with unreadable rules may be compliant.
  const unread = policies.flatMap((policy) => rulesUnread(policy));
  if (unread.length > 0) return unread;
  return automations
    .toSorted(closestFirst(maxDays))
    .slice(0, 1)
    .map((automation) => nonCompliantVerdict(automation, maxDays));
}

function compliantVerdict(automation: Automation, maxDays: number): Verdict {
  const { inactivityDays, action, groups } = automation;
  const detail = `Automation "${automation.name}" changes users to ${action} after ${inactivityDays} days of inactivity (maximum ${maxDays} days) in the groups ${groups.join(', ')}. Verify manually that these groups include every user.`;
  return { status: 'PASS', detail, resource: automationResource(automation) };
}

function nonCompliantVerdict(automation: Automation, maxDays: number): Verdict {
  const problems = problemsOf(automation, maxDays).join(', ');
  const detail = `No automation suspends or deactivates users after at most ${maxDays} days of inactivity. The closest is "${automation.name}", which has these problems: ${problems}.`;
  return { status: 'FAIL', detail, resource: automationResource(automation) };
}

function rulesUnread(policy: LifecyclePolicy): readonly Verdict[] {
  if (policy.rules.kind === 'read') return [];
  const resource = { id: policy.id, name: policy.name || '(unnamed automation)', data: policy };
  return [unreadVerdict(policy.rules.problem, resource, `The rules of the automation "${resource.name}"`)];
}

function automationResource(automation: Automation): Verdict['resource'] {
  return { id: automation.id, name: automation.name, data: automation };
}

function externalDirectoryVerdict(names: readonly string[], maxDays: number): Verdict {
  const detail = `Not applicable: users come from an external directory (${names.join(', ')}), which must disable inactive users itself. Verify manually that it does so after at most ${maxDays} days.`;
  return { status: 'MANUAL', detail, resource: EXTERNAL };
}

const EXTERNAL = {
  id: 'directory-user-inactivity-na-external-directory',
  name: '(external directory enforces inactivity)',
  data: null,
} as const;
