import { defineCheck } from '../check.ts';
import { numericRequirement, pluralize } from './numeric-requirement.ts';
import { editEachPolicy, evaluatePasswordPolicies, PASSWORD_POLICY_REFERENCES } from './password-policies.ts';

export const check = defineCheck({
  id: 'authenticator_password_history_5',
  service: 'authenticator',
  severity: 'low',
  title: 'Active password policies prevent reuse of the last 5 passwords',
  description:
    'The password history defines how many previous passwords a user cannot reuse. Every active password policy must remember at least 5 passwords.',
  risk: 'Users who can reuse old passwords may return to one that has leaked, which makes a password change after a breach ineffective.',
  remediation: editEachPolicy(
    'Set "Enforce password history for last" to 5 passwords or more and save the policy.',
  ),
  references: [...PASSWORD_POLICY_REFERENCES, 'https://pages.nist.gov/800-63-3/sp800-63b.html'],
  category: 'identity-access',
  stig: {
    requirement: '003010',
    group: 'V-273209',
    rule: 'SV-273209r1098894_rule',
    category: 'CAT II',
    ccis: ['004061'],
  },
  notes: '',
  needs: ['passwordPolicies'],
  evaluate: (context) => evaluatePasswordPolicies(context, REQUIREMENT),
});

const REQUIREMENT = numericRequirement({
  required: 'a password history of at least 5 passwords',
  value: ({ historyCount }) => historyCount,
  describe: (count) => `remembers ${pluralize(count, 'password')}`,
  unset: 'does not set a password history',
  complies: (count) => count >= 5,
});
