import { defineCheck } from '../check.ts';
import { dashboard, evaluateSignOn } from './first-party-app.ts';
import { PHISHING_RESISTANT } from './phishing-resistant.ts';

export const check = defineCheck({
  id: 'application_dashboard_phishing_resistant_authentication',
  service: 'application',
  severity: 'medium',
  title: 'The sign-on policy of the end-user dashboard requires a phishing-resistant factor',
  description:
    'The active rules of the sign-on policy of the end-user dashboard decide from the top which factors users may use. This check asks that each rule which lets users in constrains the possession factor to those that cannot be phished, such as a smart card or a FIDO2 security key, in each of its constraints or in every alternative of its authentication method chains.',
  risk: 'Codes by text message, one-time passwords and plain push requests can be relayed by a false sign-in page that also takes the session. A user who falls for one hands over every app that single sign-on reaches.',
  remediation:
    '1. Sign in to the admin console and go to Security > Authentication Policies. 2. Open the policy that is bound to the app of the end-user dashboard. 3. Edit its top active rule. 4. Under "Possession factor constraints are", tick "Phishing resistant". 5. Do the same with every rule below it that users can get to. 6. Save, after making sure that every user has enrolled such a factor.',
  references: [
    'https://help.okta.com/oie/en-us/content/topics/identity-engine/authenticators/phishing-resistant-auth.htm',
    'https://help.okta.com/oie/en-us/content/topics/identity-engine/policies/add-app-sign-on-policy-rule.htm',
    'https://www.stigviewer.com/stigs/okta_identity_as_a_service_idaas_v1',
  ],
  category: 'identity-access',
  stig: {
    requirement: '000180',
    group: 'V-273190',
    rule: 'SV-273190r1099763_rule',
    category: 'CAT II',
    ccis: ['000044'],
  },
  notes:
    'Only the role Super Administrator sees first-party apps; with any other role the check is MANUAL. The constraints of a rule are alternatives, and so are its chains: the weakest decides. Rules are evaluated from the top as far as users get: a rule with conditions, on groups or zones for instance, leaves users to the rules below it.',
  needs: ['dashboardApp'],
  evaluate: (context) => evaluateSignOn(dashboard(context), PHISHING_RESISTANT),
});
