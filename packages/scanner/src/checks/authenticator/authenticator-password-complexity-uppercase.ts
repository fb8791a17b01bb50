import { defineCheck } from '../check.ts';
import { characterRequirement } from './numeric-requirement.ts';
import { editEachPolicy, evaluatePasswordPolicies, PASSWORD_POLICY_REFERENCES } from './password-policies.ts';

export const check = defineCheck({
  id: 'authenticator_password_complexity_uppercase',
  service: 'authenticator',
  severity: 'low',
  title: 'Active password policies require an uppercase letter',
  description:
    'Password policies can require specific character types. Every active policy must require at least one uppercase letter.',
  risk: 'Passwords without uppercase letters use a smaller character set, which makes word lists and brute-force attacks more effective.',
  remediation: editEachPolicy('Under Complexity requirements, select Upper case letter and save the policy.'),
  references: [...PASSWORD_POLICY_REFERENCES, 'https://pages.nist.gov/800-63-3/sp800-63b.html'],
  category: 'identity-access',
  stig: {
    requirement: '000670',
    group: 'V-273196',
    rule: 'SV-273196r1098855_rule',
    category: 'CAT II',
    ccis: ['004066'],
  },
  notes: '',
  needs: ['passwordPolicies'],
  evaluate: (context) => evaluatePasswordPolicies(context, REQUIREMENT),
});

const REQUIREMENT = characterRequirement('uppercase letter', ({ minUpperCase }) => minUpperCase);
