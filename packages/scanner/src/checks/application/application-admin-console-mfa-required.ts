import { defineCheck } from '../check.ts';
import { adminConsole, evaluateSignOn } from './first-party-app.ts';
import { TWO_FACTORS } from './two-factors.ts';

export const check = defineCheck({
  id: 'application_admin_console_mfa_required',
  service: 'application',
  severity: 'high',
  title: 'The sign-on policy of the admin console requires two factors',
  description:
    'The active rules of the sign-on policy of the admin console decide from the top how administrators prove who they are. This check asks that each rule which lets administrators in requires two factors: a password or identity provider and another factor, any two factor types, or authentication method chains with two factor types in every alternative.',
  risk: 'With one factor, a single stolen or guessed password of an administrator opens the console that governs every user, app and policy of the organization.',
  remediation:
    '1. Sign in to the admin console and go to Security > Authentication Policies. 2. Open the policy that is bound to the app of the admin console. 3. Edit its top active rule. 4. Set "User must authenticate with" to "Password / IdP + Another factor" or "Any 2 factor types". 5. Save, and do the same with every rule below it that users can get to.',
  references: [
    'https://help.okta.com/oie/en-us/content/topics/identity-engine/policies/add-app-sign-on-policy-rule.htm',
    'https://developer.okta.com/docs/api/openapi/okta-management/management/tag/Policy/',
    'https://www.stigviewer.com/stigs/okta_identity_as_a_service_idaas_v1',
  ],
  category: 'identity-access',
  stig: {
    requirement: '000560',
    group: 'V-273193',
    rule: 'SV-273193r1098846_rule',
    category: 'CAT I',
    ccis: ['000765', '004046'],
  },
  notes:
    'Only the role Super Administrator sees first-party apps; with any other role the check is MANUAL. Rules are evaluated from the top as far as users get: a rule with conditions, on groups or zones for instance, leaves users to the rules below it. A rule that denies access passes.',
  needs: ['adminConsoleApp'],
  evaluate: (context) => evaluateSignOn(adminConsole(context), TWO_FACTORS),
});
