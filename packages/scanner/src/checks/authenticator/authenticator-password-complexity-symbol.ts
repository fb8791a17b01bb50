import { defineCheck } from '../check.ts';
import { characterRequirement } from './numeric-requirement.ts';
import {
  EDIT_EACH_POLICY,
  evaluatePasswordPolicies,
  PASSWORD_POLICY_REFERENCES,
} from './password-policies.ts';

export const check = defineCheck({
  id: 'authenticator_password_complexity_symbol',
  service: 'authenticator',
  severity: 'low',
  title: 'Every active password policy requires a symbol',
  description:
    'A password policy of the directory can require kinds of characters. Every active policy has to require at least one symbol.',
  risk: 'Where no symbol is required, passwords stay close to natural language and to the lists that attackers derive from it.',
  remediation: `${EDIT_EACH_POLICY} Under Complexity requirements select Symbol and save the policy.`,
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
