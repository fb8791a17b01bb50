import { defineCheck } from '../check.ts';
import { numericRequirement, pluralize } from './numeric-requirement.ts';
import { editEachPolicy, evaluatePasswordPolicies, PASSWORD_POLICY_REFERENCES } from './password-policies.ts';

export const check = defineCheck({
  id: 'authenticator_password_maximum_age_60d',
  service: 'authenticator',
  severity: 'low',
  title: 'Active password policies expire passwords after at most 60 days',
  description:
    'The maximum password age defines how long a password is valid before the user must change it. Every active password policy must set a maximum age of 1 to 60 days; 0 means that passwords never expire.',
  risk: 'A stolen password that never expires gives an attacker access until the theft is noticed and the password is changed.',
  remediation: editEachPolicy(
    'Enable password expiration, set it to between 1 and 60 days, and save the policy.',
  ),
  references: [...PASSWORD_POLICY_REFERENCES, 'https://pages.nist.gov/800-63-3/sp800-63b.html'],
  category: 'identity-access',
  stig: {
    requirement: '000745',
    group: 'V-273201',
    rule: 'SV-273201r1098870_rule',
    category: 'CAT II',
    ccis: ['004066'],
  },
  notes: 'A maximum age of 0 days fails, because it means that passwords never expire.',
  needs: ['passwordPolicies'],
  evaluate: (context) => evaluatePasswordPolicies(context, REQUIREMENT),
});

const REQUIREMENT = numericRequirement({
  required: 'a maximum password age of 1 to 60 days',
  value: ({ maxAgeDays }) => maxAgeDays,
  describe: (days) =>
    days === 0
      ? 'has a maximum password age of 0 days, so passwords never expire'
      : `has a maximum password age of ${pluralize(days, 'day')}`,
  unset: 'does not set a maximum password age',
  complies: (days) => days >= 1 && days <= 60,
});
