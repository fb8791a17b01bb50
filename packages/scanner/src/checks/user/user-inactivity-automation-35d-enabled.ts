import { defineCheck } from '../check.ts';
import { evaluateInactivity } from './evaluate-inactivity.ts';

export const check = defineCheck({
  id: 'user_inactivity_automation_35d_enabled',
  service: 'user',
  severity: 'medium',
  title: 'An automation suspends or deactivates users after 35 days of inactivity',
  description:
    'An automation of the directory changes the state of users who have not signed in for a number of days. At least one active automation has to suspend or deactivate the users of its groups after 35 days of inactivity or fewer.',
  risk: 'Accounts that nobody uses keep their access. An attacker who takes one over works unnoticed, because its owner does not look, and rights that were granted long ago stay in force.',
  remediation:
    'In the admin console open Workflow > Automations and add or edit an automation. Give it the condition User Inactivity in the directory with 35 days or fewer, a schedule that runs daily, groups that together hold every user, and the action to change the lifecycle state of the user to suspended or deactivated. Then activate it.',
  references: [
    'https://help.okta.com/en-us/Content/Topics/automation-hooks/automations-main.htm',
    'https://help.okta.com/en-us/Content/Topics/automation-hooks/add-automations.htm',
    'https://developer.okta.com/docs/api/openapi/okta-management/management/tag/Policy/',
  ],
  category: 'identity-access',
  stig: {
    requirement: '000090',
    group: 'V-273188',
    rule: 'SV-273188r1098831_rule',
    category: 'CAT II',
    ccis: ['000017', '000795', '003627'],
  },
  notes:
    'The requirement does not apply where Active Directory or LDAP is connected and disables inactive users itself; an app of its agent or a password policy for its users shows that. Whether the groups of an automation hold every user has to be verified by hand.',
  needs: ['lifecyclePolicies', 'passwordPolicies', 'apps', 'identityProviders'],
  evaluate: evaluateInactivity,
});
