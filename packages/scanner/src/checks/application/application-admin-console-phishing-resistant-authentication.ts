import { defineCheck } from '../check.ts';
import { adminConsole, evaluateSignOn } from './first-party-app.ts';
import { PHISHING_RESISTANT } from './phishing-resistant.ts';

export const check = defineCheck({
  id: 'application_admin_console_phishing_resistant_authentication',
  service: 'application',
  severity: 'medium',
  title: 'The sign-on policy of the admin console requires a phishing-resistant factor',
  description:
    'The active rules of the sign-on policy of the admin console decide from the top which factors administrators may use. This check asks that each rule which lets administrators in constrains the possession factor to those that cannot be phished, such as a smart card or a FIDO2 security key, in each of its constraints or in every alternative of its authentication method chains.',
  risk: 'Codes by text message, one-time passwords and plain push requests can be relayed by a false sign-in page that also takes the session. An administrator who falls for one hands over the control of the whole organization.',
  remediation:
    '1. Sign in to the admin console and go to Security > Authentication Policies. 2. Open the policy that is bound to the app of the admin console. 3. Edit its top active rule. 4. Under "Possession factor constraints are", tick "Phishing resistant". 5. Do the same with every rule below it that users can get to. 6. Save, after making sure that every administrator has enrolled such a factor.',
  references: [
    'https://help.okta.com/oie/en-us/content/topics/identity-engine/authenticators/phishing-resistant-auth.htm',
    'https://help.okta.com/oie/en-us/content/topics/identity-engine/policies/add-app-sign-on-policy-rule.htm',
    'https://www.stigviewer.com/stigs/okta_identity_as_a_service_idaas_v1',
  ],
  category: 'identity-access',
  stig: {
    requirement: '000190',
    group: 'V-273191',
    rule: 'SV-273191r1099764_rule',
    category: 'CAT II',
    ccis: ['000044'],
  },
  notes:
    'Only the role Super Administrator sees first-party apps; with any other role the check is MANUAL. The constraints of a rule are alternatives, and so are its chains: the weakest decides. Rules are evaluated from the top as far as users get: a rule with conditions, on groups or zones for instance, leaves users to the rules below it.',
  needs: ['adminConsoleApp'],
  evaluate: (context) => evaluateSignOn(adminConsole(context), PHISHING_RESISTANT),
});
