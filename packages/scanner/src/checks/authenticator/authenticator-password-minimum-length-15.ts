import { defineCheck } from '../check.ts';
import { numericRequirement, pluralize } from './numeric-requirement.ts';
import { editEachPolicy, evaluatePasswordPolicies, PASSWORD_POLICY_REFERENCES } from './password-policies.ts';

export const check = defineCheck({
  id: 'authenticator_password_minimum_length_15',
  service: 'authenticator',
  severity: 'medium',
  title: 'Active password policies require at least 15 characters',
  description:
    'Password policies define the minimum password length. Every active policy, default or custom, must require at least 15 characters, because a less strict policy may apply to some user groups.',
  risk: 'Short passwords are vulnerable to guessing and to offline attacks on leaked hashes. A single policy with a lower minimum exposes all users to whom it applies.',
  remediation: editEachPolicy('Set Minimum length to 15 characters or more and save the policy.'),
  references: [...PASSWORD_POLICY_REFERENCES, 'https://pages.nist.gov/800-63-3/sp800-63b.html'],
  category: 'identity-access',
  stig: {
    requirement: '000650',
    group: 'V-273195',
    rule: 'SV-273195r1098852_rule',
    category: 'CAT II',
    ccis: ['004066'],
  },
  notes: '',
  needs: ['passwordPolicies'],
  evaluate: (context) => evaluatePasswordPolicies(context, REQUIREMENT),
});

const REQUIREMENT = numericRequirement({
  required: 'at least 15 characters',
  value: ({ minLength }) => minLength,
  describe: (length) => `has a minimum length of ${pluralize(length, 'character')}`,
  unset: 'does not set a minimum length',
  complies: (length) => length >= 15,
});
