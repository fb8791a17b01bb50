import { defineCheck } from '../check.ts';
import { numericRequirement, pluralize } from './numeric-requirement.ts';
import {
  EDIT_EACH_POLICY,
  evaluatePasswordPolicies,
  PASSWORD_POLICY_REFERENCES,
} from './password-policies.ts';

export const check = defineCheck({
  id: 'authenticator_password_minimum_age_24h',
  service: 'authenticator',
  severity: 'low',
  title: 'Every active password policy sets a minimum password age of 24 hours',
  description:
    'The minimum age is how long a new password has to be kept before its user may change it again. Every active password policy of the directory has to set at least 24 hours, which the API gives as 1440 minutes.',
  risk: 'Without a minimum age users change their password several times in a row, push the old one out of the history, and go on using it.',
  remediation: `${EDIT_EACH_POLICY} Set Minimum password age to 24 hours or more and save the policy.`,
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
  required: 'at least 1440 minutes (24 hours)',
  value: ({ minAgeMinutes }) => minAgeMinutes,
  states: (minutes) => `has a minimum password age of ${pluralize(minutes, 'minute')}`,
  unset: 'sets no minimum password age',
  complies: (minutes) => minutes >= 24 * 60,
});
