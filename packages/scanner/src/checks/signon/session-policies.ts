import type { SessionPolicy, SessionRule } from '../../directory/snapshot.ts';
import {
  type EvaluatedResource,
  type EvaluationContext,
  unreadResource,
  unreadVerdict,
  type Verdict,
} from '../check.ts';
import { activeByPriority, isDefaultRule, priorityOneRule, priorityText } from '../policy-rules.ts';
import type { Outcome } from '../session-limit.ts';

/** A check's requirement for the rule at priority 1 of a session policy. */
export interface SessionRequirement {
  /** The required rule as a noun phrase, such as `a rule at priority 1 that has a network zone`. */
  readonly required: string;
  /** Whether the built-in default rule is accepted. */
  readonly allowsDefaultRule: boolean;
  /**
   * @param label The rule and its policy, such as `the non-default rule "Office" of global session policy "Default
   * Policy" (...)`.
   */
  evaluate(rule: SessionRule, label: string): Outcome;
}

const NO_POLICY: EvaluatedResource = {
  id: 'signon-policies-missing',
  name: '(no active sign-on policies)',
  data: null,
};

/**
 * Evaluates all active session policies, including custom policies, because a less strict custom policy may apply to a
 * group of users. Only the rule at priority 1 counts, because the directory evaluates it first.
 */
export function evaluateSessionPolicies(
  { snapshot: { sessionPolicies }, dialect }: EvaluationContext<'sessionPolicies'>,
  requirement: SessionRequirement,
): readonly Verdict[] {
  if (sessionPolicies.kind === 'unread') {
    const { problem } = sessionPolicies;
    return [
      unreadVerdict(problem, unreadResource('signon-policies', problem), 'The global session policies'),
    ];
  }
  const policies = activeByPriority(sessionPolicies.value);
  if (policies.length === 0) {
    const detail = `${dialect.title} returned no active global session policies. Required: a policy with ${requirement.required}.`;
    return [{ status: 'FAIL', detail, resource: NO_POLICY }];
  }
  return policies.map((policy) => evaluatePolicy(policy, requirement));
}

function evaluatePolicy(policy: SessionPolicy, requirement: SessionRequirement): Verdict {
  const resource: EvaluatedResource = { id: policy.id, name: policy.name, data: policy };
  const label = policyLabel(policy);
  if (policy.rules.kind === 'unread')
    return unreadVerdict(policy.rules.problem, resource, `The rules of ${label}`);

  const rule = priorityOneRule(policy.rules.value);
  const required = `Required: ${requirement.required}.`;
  if (rule === undefined) {
    return { status: 'FAIL', detail: `The ${label} has no active rule at priority 1. ${required}`, resource };
  }
  if (isDefaultRule(rule) && !requirement.allowsDefaultRule) {
    const detail = `The rule at priority 1 of ${label} is the built-in default rule "${rule.name}". ${required}`;
    return { status: 'FAIL', detail, resource };
  }
  const ruleType = isDefaultRule(rule) ? 'built-in default' : 'non-default';
  return { ...requirement.evaluate(rule, `the ${ruleType} rule "${rule.name}" of ${label}`), resource };
}

function policyLabel(policy: SessionPolicy): string {
  const origin = policy.system ? 'default' : 'custom';
  return `global session policy "${policy.name}" (${priorityText(policy)}, ${origin})`;
}
