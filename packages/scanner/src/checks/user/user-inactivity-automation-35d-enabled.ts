import { defineCheck } from '../check.ts';
import { evaluateInactivity } from './evaluate-inactivity.ts';

export const check = defineCheck({
  id: 'user_inactivity_automation_35d_enabled',
  service: 'user',
  severity: 'medium',
  title: 'An automation suspends or deactivates users after 35 days of inactivity',
  description:
    'Automations can change the status of users who have not signed in for a given number of days. At least one active automation must suspend or deactivate the users of its groups after at most 35 days of inactivity.',
  risk: 'Unused accounts keep their access. An attacker who takes over a dormant account can go unnoticed because its owner is not active, and outdated permissions remain in effect.',
  remediation:
    '1. Sign in to the admin console, go to Workflow > Automations and add or edit an automation. 2. Add the user inactivity condition with 35 days or fewer. 3. Set a schedule that runs daily. 4. Apply the automation to groups that together include every user. 5. Add the action that changes the user status to suspended or deactivated. 6. Activate the automation.',
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
    'The requirement does not apply if Active Directory or LDAP is connected and disables inactive users itself; an agent app or a password policy for its users indicates such a connection. Verify manually that the groups of the automation include every user.',
  needs: ['lifecyclePolicies', 'passwordPolicies', 'apps', 'identityProviders'],
  evaluate: evaluateInactivity,
});
