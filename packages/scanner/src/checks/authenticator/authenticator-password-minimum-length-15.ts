import { defineCheck } from '../check.ts';
import { numericRequirement, pluralize } from './numeric-requirement.ts';
import {
  EDIT_EACH_POLICY,
  evaluatePasswordPolicies,
  PASSWORD_POLICY_REFERENCES,
} from './password-policies.ts';

export const check = defineCheck({
  id: 'authenticator_password_minimum_length_15',
  service: 'authenticator',
  severity: 'medium',
  title: 'Every active password policy requires at least 15 characters',
  description:
    'A password policy of the directory sets how long the passwords of its users must be. Every active policy, default or custom, has to ask for 15 characters or more, because a laxer policy may govern some group of users.',
  risk: 'Short passwords fall quickly to guessing and to offline attacks on leaked hashes. One policy with a lower limit is enough to leave the users that it governs open to credential stuffing.',
  remediation: `${EDIT_EACH_POLICY} Set Minimum length to 15 characters or more and save the policy.`,
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
  states: (length) => `has a minimum length of ${pluralize(length, 'character')}`,
  unset: 'sets no minimum length',
  complies: (length) => length >= 15,
});
