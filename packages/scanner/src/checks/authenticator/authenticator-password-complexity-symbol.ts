import { defineCheck } from '../check.ts';
import { characterRequirement } from './numeric-requirement.ts';
import { editEachPolicy, evaluatePasswordPolicies, PASSWORD_POLICY_REFERENCES } from './password-policies.ts';

export const check = defineCheck({
  id: 'authenticator_password_complexity_symbol',
  service: 'authenticator',
  severity: 'low',
  title: 'Active password policies require a symbol',
  description:
    'Password policies can require specific character types. Every active policy must require at least one symbol.',
  risk: 'Without a required symbol, passwords stay close to natural language and to the word lists that attackers derive from it.',
  remediation: editEachPolicy('Under Complexity requirements, select Symbol and save the policy.'),
  references: [...PASSWORD_POLICY_REFERENCES, 'https://pages.nist.gov/800-63-3/sp800-63b.html'],
  category: 'identity-access',
  stig: {
    requirement: '000700',
    group: 'V-273199',
    rule: 'SV-273199r1098864_rule',
    category: 'CAT II',
    ccis: ['004066'],
  },
  notes: '',
  needs: ['passwordPolicies'],
  evaluate: (context) => evaluatePasswordPolicies(context, REQUIREMENT),
});

const REQUIREMENT = characterRequirement('symbol', ({ minSymbol }) => minSymbol);
