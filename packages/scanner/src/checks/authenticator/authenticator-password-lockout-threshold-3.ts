import { defineCheck } from '../check.ts';
import { numericRequirement, pluralize } from './numeric-requirement.ts';
import { editEachPolicy, evaluatePasswordPolicies, PASSWORD_POLICY_REFERENCES } from './password-policies.ts';

export const check = defineCheck({
  id: 'authenticator_password_lockout_threshold_3',
  service: 'authenticator',
  severity: 'medium',
  title: 'Active password policies lock accounts after at most 3 failed sign-in attempts',
  description:
    'The lockout threshold defines how many consecutive failed sign-in attempts lock a user account. Every active password policy must set a threshold of 1 to 3; a threshold of 0 means that accounts are never locked.',
  risk: 'Without a low lockout threshold, attackers can guess passwords online or try leaked credentials in bulk until one works.',
  remediation: editEachPolicy(
    'Under Lock out, enable user lockout, set the limit to between 1 and 3 unsuccessful attempts, and save the policy.',
  ),
  references: [...PASSWORD_POLICY_REFERENCES, 'https://pages.nist.gov/800-63-3/sp800-63b.html'],
  category: 'identity-access',
  stig: {
    requirement: '000170',
    group: 'V-273189',
    rule: 'SV-273189r1098834_rule',
    category: 'CAT II',
    ccis: ['000044', '002238'],
  },
  notes:
    'The requirement does not apply to policies for Active Directory or LDAP users, because these directories lock accounts themselves. The result for these policies is MANUAL.',
  needs: ['passwordPolicies'],
  evaluate: (context) => evaluatePasswordPolicies(context, REQUIREMENT),
});

const REQUIREMENT = numericRequirement({
  required: 'lockout after 1 to 3 failed attempts',
  value: ({ maxAttempts }) => maxAttempts,
  describe: (attempts) =>
    attempts === 0
      ? 'has a lockout threshold of 0 failed attempts, so accounts are never locked'
      : `locks accounts after ${pluralize(attempts, 'failed attempt')}`,
  unset: 'does not set a lockout threshold',
  complies: (attempts) => attempts >= 1 && attempts <= 3,
});
