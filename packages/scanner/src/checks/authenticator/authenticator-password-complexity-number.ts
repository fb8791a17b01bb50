import { defineCheck } from '../check.ts';
import { characterRequirement } from './numeric-requirement.ts';
import { editEachPolicy, evaluatePasswordPolicies, PASSWORD_POLICY_REFERENCES } from './password-policies.ts';

export const check = defineCheck({
  id: 'authenticator_password_complexity_number',
  service: 'authenticator',
  severity: 'low',
  title: 'Active password policies require a digit',
  description:
    'Password policies can require specific character types. Every active policy must require at least one digit.',
  risk: 'Without a required digit, plain dictionary words are valid passwords, and attackers try these first.',
  remediation: editEachPolicy('Under Complexity requirements, select Number (0-9) and save the policy.'),
  references: [...PASSWORD_POLICY_REFERENCES, 'https://pages.nist.gov/800-63-3/sp800-63b.html'],
  category: 'identity-access',
  stig: {
    requirement: '000690',
    group: 'V-273198',
    rule: 'SV-273198r1098861_rule',
    category: 'CAT II',
    ccis: ['004066'],
  },
  notes: '',
  needs: ['passwordPolicies'],
  evaluate: (context) => evaluatePasswordPolicies(context, REQUIREMENT),
});

const REQUIREMENT = characterRequirement('digit', ({ minNumber }) => minNumber);
