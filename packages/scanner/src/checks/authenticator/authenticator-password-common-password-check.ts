import type { PasswordPolicy } from '../../directory/snapshot.ts';
import { defineCheck } from '../check.ts';
import {
  EDIT_EACH_POLICY,
  evaluatePasswordPolicies,
  PASSWORD_POLICY_REFERENCES,
  type PasswordRequirement,
} from './password-policies.ts';

export const check = defineCheck({
  id: 'authenticator_password_common_password_check',
  service: 'authenticator',
  severity: 'medium',
  title: 'Every active password policy rejects common passwords',
  description:
    'The directory can compare a new password with a list of common ones and refuse it when it is there. Every active password policy has to have this check turned on.',
  risk: 'Common and leaked passwords are what attackers try first, and complexity rules alone do not keep users from choosing them.',
  remediation: `${EDIT_EACH_POLICY} Turn on the Common password check and save the policy.`,
  references: [...PASSWORD_POLICY_REFERENCES, 'https://pages.nist.gov/800-63-3/sp800-63b.html'],
  category: 'identity-access',
  stig: {
    requirement: '002980',
    group: 'V-273208',
    rule: 'SV-273208r1099769_rule',
    category: 'CAT II',
    ccis: ['004058'],
  },
  notes: '',
  needs: ['passwordPolicies'],
  evaluate: (context) => evaluatePasswordPolicies(context, REQUIREMENT),
});

const REQUIREMENT: PasswordRequirement = {
  required: 'to reject common passwords',
  states: ({ excludeCommonPasswords }) => statement(excludeCommonPasswords),
  complies: ({ excludeCommonPasswords }) => excludeCommonPasswords === true,
};

function statement(excludeCommonPasswords: PasswordPolicy['excludeCommonPasswords']): string {
  if (excludeCommonPasswords === null) return 'does not say whether it rejects common passwords';
  return excludeCommonPasswords ? 'rejects common passwords' : 'accepts common passwords';
}
