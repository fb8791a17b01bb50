import type { PasswordPolicy } from '../../directory/snapshot.ts';
import {
  type EvaluatedResource,
  type EvaluationContext,
  unreadResource,
  unreadVerdict,
  type Verdict,
} from '../check.ts';
import { directoryForPolicy } from '../connected-directory.ts';
import { activeByPriority, priorityText } from '../policy-rules.ts';

export const PASSWORD_POLICY_REFERENCES = [
  'https://help.okta.com/oie/en-us/content/topics/identity-engine/authenticators/configure-password.htm',
  'https://developer.okta.com/docs/api/openapi/okta-management/management/tag/Policy/',
] as const;

/** The remediation steps for a password policy setting. `change` describes the change to a single policy. */
export function editEachPolicy(change: string): string {
  return `1. Sign in to the admin console and go to Security > Authenticators (Security > Authentication in older organizations). 2. Choose Actions > Edit next to Password. 3. Edit an active password policy. 4. ${change} 5. Repeat these steps for every active password policy.`;
}

/** A check's requirement for each active password policy. */
export interface PasswordRequirement {
  /** The text after "Required: ", such as `at least 15 characters`. */
  readonly required: string;
  /** The setting of the policy as a predicate, such as `has a minimum length of 14 characters`. */
  describe(policy: PasswordPolicy): string;
  complies(policy: PasswordPolicy): boolean;
}

/** Returns one verdict per active password policy, or a single FAIL verdict if no policy is active. */
export function evaluatePasswordPolicies(
  { snapshot, dialect }: EvaluationContext<'passwordPolicies'>,
  { required, describe, complies }: PasswordRequirement,
): readonly Verdict[] {
  const policies = snapshot.passwordPolicies;
  if (policies.kind === 'unread') {
    const resource = unreadResource('password-policies', policies.problem);
    const verdict = unreadVerdict(policies.problem, resource, 'The password policies');
    return [{ ...verdict, detail: `${verdict.detail} Required: ${required}.` }];
  }
  const active = activeByPriority(policies.value);
  if (active.length === 0) {
    const detail = `The ${dialect.title} organization has no active password policy. Required: ${required}.`;
    return [{ status: 'FAIL', detail, resource: NO_ACTIVE_POLICY }];
  }
  return active.map((policy) => {
    const resource = { id: policy.id, name: policy.name, data: policy };
    const directory = directoryForPolicy(policy);
    if (directory !== undefined) {
      const detail = `Not applicable: ${label(policy)} applies to users of ${directory}, which validates their passwords itself. Verify the requirement there: ${required}.`;
      return { status: 'MANUAL', detail, resource };
    }
    return {
      status: complies(policy) ? 'PASS' : 'FAIL',
      detail: `The ${label(policy)} ${describe(policy)}. Required: ${required}.`,
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
