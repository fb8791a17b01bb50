import type { PasswordPolicy } from '../../directory/snapshot.ts';
import { defineCheck } from '../check.ts';
import {
  editEachPolicy,
  evaluatePasswordPolicies,
  PASSWORD_POLICY_REFERENCES,
  type PasswordRequirement,
} from './password-policies.ts';

export const check = defineCheck({
  id: 'authenticator_password_common_password_check',
  service: 'authenticator',
  severity: 'medium',
  title: 'Active password policies reject common passwords',
  description:
    'The directory can compare new passwords with a list of common passwords and reject matches. Every active password policy must enable this check.',
  risk: 'Attackers try common and leaked passwords first, and complexity rules alone do not prevent users from choosing such passwords.',
  remediation: editEachPolicy('Enable the common password check and save the policy.'),
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
  required: 'an enabled common password check',
  describe: ({ excludeCommonPasswords }) => describeSetting(excludeCommonPasswords),
  complies: ({ excludeCommonPasswords }) => excludeCommonPasswords === true,
};

function describeSetting(excludeCommonPasswords: PasswordPolicy['excludeCommonPasswords']): string {
  if (excludeCommonPasswords === null) return 'does not configure the common password check';
  return excludeCommonPasswords ? 'rejects common passwords' : 'accepts common passwords';
}
