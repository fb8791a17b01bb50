import { defineCheck } from '../check.ts';
import { numericRequirement, pluralize } from './numeric-requirement.ts';
import { editEachPolicy, evaluatePasswordPolicies, PASSWORD_POLICY_REFERENCES } from './password-policies.ts';

export const check = defineCheck({
  id: 'authenticator_password_minimum_age_24h',
  service: 'authenticator',
  severity: 'low',
  title: 'Active password policies set a minimum password age of 24 hours',
  description:
    'The minimum password age defines how long users must keep a new password before they can change it again. Every active password policy must set a minimum age of at least 24 hours, which the API reports as 1,440 minutes.',
  risk: 'Without a minimum age, users can change their password several times in a row to remove the old one from the history and then reuse it.',
  remediation: editEachPolicy('Set Minimum password age to 24 hours or more and save the policy.'),
  references: [...PASSWORD_POLICY_REFERENCES, 'https://pages.nist.gov/800-63-3/sp800-63b.html'],
  category: 'identity-access',
  stig: {
    requirement: '000740',
    group: 'V-273200',
    rule: 'SV-273200r1098867_rule',
    category: 'CAT II',
    ccis: ['004066'],
  },
  notes: '',
  needs: ['passwordPolicies'],
  evaluate: (context) => evaluatePasswordPolicies(context, REQUIREMENT),
});

const REQUIREMENT = numericRequirement({
  required: 'a minimum password age of at least 1440 minutes (24 hours)',
  value: ({ minAgeMinutes }) => minAgeMinutes,
  describe: (minutes) => `has a minimum password age of ${pluralize(minutes, 'minute')}`,
  unset: 'does not set a minimum password age',
  complies: (minutes) => minutes >= 24 * 60,
});
