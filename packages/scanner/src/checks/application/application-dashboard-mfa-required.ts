import { defineCheck } from '../check.ts';
import { dashboard, judgeTopRule } from './first-party-app.ts';
import { TWO_FACTORS } from './two-factors.ts';

export const check = defineCheck({
  id: 'application_dashboard_mfa_required',
  service: 'application',
  severity: 'high',
  title: 'The sign-on policy of the end-user dashboard requires two factors',
  description:
    'The top active rule of the sign-on policy of the end-user dashboard decides first how users prove who they are. This check asks that it requires two factors: a password or identity provider and another factor, or any two factor types.',
  risk: 'With one factor, a password that was reused, guessed or stolen elsewhere opens the dashboard, and from there every app that single sign-on gives its user.',
  remediation:
    '1. Sign in to the admin console and go to Security > Authentication Policies. 2. Open the policy that is bound to the app of the end-user dashboard. 3. Edit its top active rule. 4. Set "User must authenticate with" to "Password / IdP + Another factor" or "Any 2 factor types". 5. Save, and check that no rule with one factor is above it.',
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
    'Only the role Super Administrator sees first-party apps; with any other role the check is MANUAL. Rules below the top one are not judged.',
  needs: ['dashboardApp'],
  judge: (context) => judgeTopRule(dashboard(context), TWO_FACTORS),
});
