import { defineCheck } from '../check.ts';
import { TWO_FACTORS } from './authentication-factors.ts';
import { dashboard, evaluateSignOn } from './first-party-app.ts';

export const check = defineCheck({
  id: 'application_dashboard_mfa_required',
  service: 'application',
  severity: 'high',
  title: 'The end-user dashboard sign-on policy requires multifactor authentication',
  description:
    'The end-user dashboard sign-on policy determines how users authenticate. Every active rule that grants access must require two factors: a password or identity provider plus another factor, any two factor types, or authentication method chains with two factor types in every alternative.',
  risk: 'With a single factor, a password that was reused, guessed or stolen elsewhere gives access to the dashboard and to every app that the user can open through single sign-on.',
  remediation:
    '1. Sign in to the admin console and go to Security > Authentication Policies. 2. Open the policy that is assigned to the end-user dashboard. 3. Edit the top active rule. 4. Set "User must authenticate with" to "Password / IdP + Another factor" or "Any 2 factor types". 5. Save the rule, and repeat these steps for every subsequent rule that users can reach.',
  references: [
    'https://help.okta.com/oie/en-us/content/topics/identity-engine/policies/add-app-sign-on-policy-rule.htm',
    'https://developer.okta.com/docs/api/openapi/okta-management/management/tag/Policy/',
    'https://www.stigviewer.com/stigs/okta_identity_as_a_service_idaas_v1',
  ],
  category: 'identity-access',
  stig: {
    requirement: '000570',
    group: 'V-273194',
    rule: 'SV-273194r1098849_rule',
    category: 'CAT I',
    ccis: ['000766', '004046'],
  },
  notes:
    'Only the Super Administrator role can see first-party apps; with any other role the result is MANUAL. Rules are evaluated from the top down, up to the first rule without conditions. Users who do not match the conditions of a rule, such as groups or network zones, fall through to the next rule. A rule that denies access meets the requirement.',
  needs: ['dashboardApp'],
  evaluate: (context) => evaluateSignOn(dashboard(context), TWO_FACTORS),
});
