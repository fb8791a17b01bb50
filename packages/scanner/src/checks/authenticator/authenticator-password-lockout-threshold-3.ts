import { defineCheck } from '../check.ts';
import { numericRequirement, pluralize } from './numeric-requirement.ts';
import {
  EDIT_EACH_POLICY,
  evaluatePasswordPolicies,
  PASSWORD_POLICY_REFERENCES,
} from './password-policies.ts';

export const check = defineCheck({
  id: 'authenticator_password_lockout_threshold_3',
  service: 'authenticator',
  severity: 'medium',
  title: 'Every active password policy locks accounts after at most 3 failed attempts',
  description:
    'The lock-out threshold is the number of wrong passwords in a row after which the directory locks the account. Every active password policy has to set between 1 and 3; 0 means that accounts are never locked.',
  risk: 'Without a low threshold an attacker may guess passwords online, or try leaked ones in bulk, until one fits.',
  remediation: `${EDIT_EACH_POLICY} Under Lock out turn on the lock-out of users, set it to 3 unsuccessful attempts or fewer but not to 0, and save the policy.`,
  references: [...PASSWORD_POLICY_REFERENCES, 'https://pages.nist.gov/800-63-3/sp800-63b.html'],
  category: 'identity-access',
  stig: {
    requirement: '000170',
    group: 'V-273189',
    rule: 'SV-273189r1098834_rule',
    category: 'CAT II',
    ccis: ['000044', '002238'],
  },
  notes:
    'A threshold of 0 attempts means that there is no lock-out, and fails. The requirement does not apply to a policy for users of Active Directory or LDAP, which locks the accounts itself: MANUAL.',
  needs: ['passwordPolicies'],
  evaluate: (context) => evaluatePasswordPolicies(context, REQUIREMENT),
});

const REQUIREMENT = numericRequirement({
  required: 'a lock-out after between 1 and 3 failed attempts',
  value: ({ maxAttempts }) => maxAttempts,
  states: (attempts) =>
    attempts === 0
      ? 'has a lock-out threshold of 0 failed attempts, so that accounts are never locked'
      : `locks accounts after ${pluralize(attempts, 'failed attempt')}`,
  unset: 'sets no lock-out threshold',
  complies: (attempts) => attempts >= 1 && attempts <= 3,
});
