import { defineCheck } from '../check.ts';
import { characterRequirement } from './numeric-requirement.ts';
import {
  EDIT_EACH_POLICY,
  evaluatePasswordPolicies,
  PASSWORD_POLICY_REFERENCES,
} from './password-policies.ts';

export const check = defineCheck({
  id: 'authenticator_password_complexity_number',
  service: 'authenticator',
  severity: 'low',
  title: 'Every active password policy requires a digit',
  description:
    'A password policy of the directory can require kinds of characters. Every active policy has to require at least one digit.',
  risk: 'Where no digit is required, plain dictionary words stay valid passwords and are the first that an attacker tries.',
  remediation: `${EDIT_EACH_POLICY} Under Complexity requirements select Number (0-9) and save the policy.`,
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
