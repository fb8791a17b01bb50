import type { PasswordPolicy } from '../../directory/snapshot.ts';
import { type EvaluatedResource, type EvaluationContext, unreadVerdict, type Verdict } from '../check.ts';
import { directoryForPolicy } from '../connected-directory.ts';
import { activeByPriority, priorityText } from '../policy-rules.ts';
import { unreadResource } from '../unread-resource.ts';

export const PASSWORD_POLICY_REFERENCES = [
  'https://help.okta.com/oie/en-us/content/topics/identity-engine/authenticators/configure-password.htm',
  'https://developer.okta.com/docs/api/openapi/okta-management/management/tag/Policy/',
] as const;

/** First steps of every remediation here. */
export const EDIT_EACH_POLICY =
  'In the admin console open Security > Authenticators (Security > Authentication in older organizations), choose Actions > Edit beside Password, and edit every active password policy in turn.';

/** What a check asks of each active password policy. */
export interface PasswordRequirement {
  /** Follows "the requirement is": `at least 15 characters`. */
  readonly required: string;
  /** What the policy sets, as the sentence after its name: `has a minimum length of 14 characters`. */
  states(policy: PasswordPolicy): string;
  complies(policy: PasswordPolicy): boolean;
}

/** One verdict for each active password policy, or one FAIL where there is none. */
export function evaluatePasswordPolicies(
  { snapshot, dialect }: EvaluationContext<'passwordPolicies'>,
  { required, states, complies }: PasswordRequirement,
): readonly Verdict[] {
  const policies = snapshot.passwordPolicies;
  if (policies.kind === 'unread') {
    const resource = unreadResource('password-policies', policies.problem);
    const verdict = unreadVerdict(policies.problem, resource, 'The password policies');
    return [{ ...verdict, detail: `${verdict.detail} The requirement is ${required}.` }];
  }
  const active = activeByPriority(policies.value);
  if (active.length === 0) {
    const detail = `The ${dialect.title} organization has no active password policy; the requirement is ${required}.`;
    return [{ status: 'FAIL', detail, resource: NO_ACTIVE_POLICY }];
  }
  return active.map((policy) => {
    const resource = { id: policy.id, name: policy.name, data: policy };
    const directory = directoryForPolicy(policy);
    if (directory !== undefined) {
      const detail = `Not applicable: ${label(policy)} is for users of ${directory}, which checks their passwords itself. Verify the requirement there: ${required}.`;
      return { status: 'MANUAL', detail, resource };
    }
    return {
      status: complies(policy) ? 'PASS' : 'FAIL',
      detail: `The ${label(policy)} ${states(policy)}; the requirement is ${required}.`,
      resource,
    };
  });
}

const NO_ACTIVE_POLICY: EvaluatedResource = {
  id: 'password-policies-missing',
  name: '(no active password policies)',
  data: null,
};

function label(policy: PasswordPolicy): string {
  return `password policy "${policy.name}" (${priorityText(policy)}, ${policy.system ? 'default' : 'custom'})`;
}
