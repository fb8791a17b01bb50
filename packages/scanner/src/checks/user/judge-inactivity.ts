import type { IdentityProvider, LifecyclePolicy } from '../../directory/snapshot.ts';
import { couldNotRead, type JudgeContext, type Verdict } from '../check.ts';
import { unreadResource } from '../unread-resource.ts';
import { type Automation, automationsOf, closestFirst, problemsOf } from './automation.ts';

/** One PASS for each automation that complies; without one a single FAIL, or MANUAL where it cannot be told. */
export function judgeInactivity({
  snapshot,
  thresholds,
  dialect,
}: JudgeContext<'lifecyclePolicies' | 'identityProviders'>): readonly Verdict[] {
  const { lifecyclePolicies: policies, identityProviders: providers } = snapshot;
  if (policies.kind === 'unread') {
    const resource = unreadResource('directory-user', policies.problem);
    return [couldNotRead(policies.problem, resource, 'The lifecycle policies behind the automations')];
  }
  if (providers.kind === 'unread') {
    const what = 'The identity providers, which tell whether an external directory disables inactive users,';
    return [couldNotRead(providers.problem, unreadResource('directory-user', providers.problem), what)];
  }
  const external = providers.value.filter(isExternalDirectory);
  if (external.length > 0) return [enforcedElsewhere(external, thresholds.maxInactivityDays)];
  if (policies.value.length === 0) {
    const detail = `The ${dialect.title} organization has no automations; one must suspend or deactivate users after at most ${thresholds.maxInactivityDays} days of inactivity.`;
    return [{ status: 'FAIL', detail, resource: NO_AUTOMATIONS }];
  }
  return judgeAutomations(policies.value, thresholds.maxInactivityDays);
}

const NO_AUTOMATIONS = {
  id: 'directory-user-inactivity-no-automations',
  name: '(no automations configured)',
  data: null,
} as const;

function judgeAutomations(policies: readonly LifecyclePolicy[], maxDays: number): readonly Verdict[] {
  const automations = policies.flatMap((policy) =>
    policy.rules.kind === 'read' ? automationsOf(policy, policy.rules.value) : [],
  );
  const compliant = automations.filter((automation) => problemsOf(automation, maxDays).length === 0);
  if (compliant.length > 0) return compliant.map((automation) => complies(automation, maxDays));
  // One of these may be the automation that is looked for.
  const unread = policies.flatMap((policy) => rulesUnread(policy));
  if (unread.length > 0) return unread;
  return automations
    .toSorted(closestFirst(maxDays))
    .slice(0, 1)
    .map((automation) => fallsShort(automation, maxDays));
}

function complies(automation: Automation, maxDays: number): Verdict {
  const { inactivityDays, action, groups } = automation;
  const detail = `Automation "${automation.name}" sets users to ${action} after ${inactivityDays} days of inactivity (max ${maxDays} days) in the groups ${groups.join(', ')}; verify by hand that these groups hold every user.`;
  return { status: 'PASS', detail, resource: automationResource(automation) };
}

function fallsShort(automation: Automation, maxDays: number): Verdict {
  const problems = problemsOf(automation, maxDays).join(', ');
  const detail = `No automation suspends or deactivates users after at most ${maxDays} days of inactivity. The closest is "${automation.name}", which falls short in: ${problems}.`;
  return { status: 'FAIL', detail, resource: automationResource(automation) };
}

function rulesUnread(policy: LifecyclePolicy): readonly Verdict[] {
  if (policy.rules.kind === 'read') return [];
  const resource = { id: policy.id, name: policy.name || '(unnamed automation)', data: policy };
  return [couldNotRead(policy.rules.problem, resource, `The rules of the automation "${resource.name}"`)];
}

function automationResource(automation: Automation): Verdict['resource'] {
  return { id: automation.id, name: automation.name, data: automation };
}

function isExternalDirectory({ type, status }: IdentityProvider): boolean {
  const kind = type?.toUpperCase();
  return (kind === 'ACTIVE_DIRECTORY' || kind === 'LDAP') && status?.toUpperCase() === 'ACTIVE';
}

function enforcedElsewhere(external: readonly IdentityProvider[], maxDays: number): Verdict {
  const names = external.map(({ name, type }) => `"${name}" (${type})`).join(', ');
  const detail = `Not judged here, because users come from an external directory, ${names}, which has to disable inactive users itself; verify by hand that it does so after at most ${maxDays} days.`;
  return { status: 'MANUAL', detail, resource: EXTERNAL };
}

const EXTERNAL = {
  id: 'directory-user-inactivity-na-external-directory',
  name: '(external directory enforces inactivity)',
  data: null,
} as const;
