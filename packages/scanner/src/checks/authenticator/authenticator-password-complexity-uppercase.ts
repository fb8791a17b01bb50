import { defineCheck } from '../check.ts';
import { characterRequirement } from './numeric-requirement.ts';
import {
  EDIT_EACH_POLICY,
  evaluatePasswordPolicies,
  PASSWORD_POLICY_REFERENCES,
} from './password-policies.ts';

export const check = defineCheck({
  id: 'authenticator_password_complexity_uppercase',
  service: 'authenticator',
  severity: 'low',
  title: 'Every active password policy requires an uppercase letter',
  description:
    'A password policy of the directory can require kinds of characters. Every active policy has to require at least one uppercase letter.',
  risk: 'Passwords without uppercase letters come from a smaller alphabet, so that word lists and brute force reach them sooner.',
  remediation: `${EDIT_EACH_POLICY} Under Complexity requirements select Upper case letter and save the policy.`,
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
