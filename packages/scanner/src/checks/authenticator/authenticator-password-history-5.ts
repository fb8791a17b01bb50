import { defineCheck } from '../check.ts';
import { numericRequirement, pluralize } from './numeric-requirement.ts';
import {
  EDIT_EACH_POLICY,
  evaluatePasswordPolicies,
  PASSWORD_POLICY_REFERENCES,
} from './password-policies.ts';

export const check = defineCheck({
  id: 'authenticator_password_history_5',
  service: 'authenticator',
  severity: 'low',
  title: 'Every active password policy remembers at least 5 passwords',
  description:
    'The password history is the number of earlier passwords that a user may not choose again. Every active password policy of the directory has to remember at least 5.',
  risk: 'Users who may return to an old password return to one that may have leaked since, and changing it after a breach achieves nothing.',
  remediation: `${EDIT_EACH_POLICY} Set Enforce password history for last to 5 passwords or more and save the policy.`,
  references: [...PASSWORD_POLICY_REFERENCES, 'https://pages.nist.gov/800-63-3/sp800-63b.html'],
  category: 'identity-access',
  stig: {
    requirement: '003010',
    group: 'V-273209',
    rule: 'SV-273209r1098894_rule',
    category: 'CAT II',
    ccis: ['004061'],
  },
  notes: '',
  needs: ['passwordPolicies'],
  evaluate: (context) => evaluatePasswordPolicies(context, REQUIREMENT),
});

const REQUIREMENT = numericRequirement({
  required: 'at least 5 remembered passwords',
  value: ({ historyCount }) => historyCount,
  states: (count) => `remembers ${pluralize(count, 'password')}`,
  unset: 'sets no password history',
  complies: (count) => count >= 5,
});
