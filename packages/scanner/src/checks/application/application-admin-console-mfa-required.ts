import { defineCheck } from '../check.ts';
import { TWO_FACTORS } from './authentication-factors.ts';
import { adminConsole, evaluateSignOn } from './first-party-app.ts';

export const check = defineCheck({
  id: 'application_admin_console_mfa_required',
  service: 'application',
  severity: 'high',
  title: 'The admin console sign-on policy requires multifactor authentication',
  description:
    'The admin console sign-on policy determines how administrators authenticate. Every active rule that grants access must require two factors: a password or identity provider plus another factor, any two factor types, or authentication method chains with two factor types in every alternative.',
  risk: 'With a single factor, one stolen or guessed administrator password gives access to the console that controls all users, apps and policies of the organization.',
  remediation:
    '1. Sign in to the admin console and go to Security > Authentication Policies. 2. Open the policy that is assigned to the admin console. 3. Edit the top active rule. 4. Set "User must authenticate with" to "Password / IdP + Another factor" or "Any 2 factor types". 5. Save the rule, and repeat these steps for every subsequent rule that users can reach.',
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
    'Only the Super Administrator role can see first-party apps; with any other role the result is MANUAL. Rules are evaluated from the top down, up to the first rule without conditions. Users who do not match the conditions of a rule, such as groups or network zones, fall through to the next rule. A rule that denies access meets the requirement.',
  needs: ['adminConsoleApp'],
  evaluate: (context) => evaluateSignOn(adminConsole(context), TWO_FACTORS),
});
