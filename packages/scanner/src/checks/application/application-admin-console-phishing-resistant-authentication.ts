import { defineCheck } from '../check.ts';
import { PHISHING_RESISTANT } from './authentication-factors.ts';
import { adminConsole, evaluateSignOn } from './first-party-app.ts';

export const check = defineCheck({
  id: 'application_admin_console_phishing_resistant_authentication',
  service: 'application',
  severity: 'medium',
  title: 'The admin console sign-on policy requires phishing-resistant authentication',
  description:
    'The admin console sign-on policy determines which factors administrators can use. Every active rule that grants access must require a phishing-resistant possession factor, such as a smart card or a FIDO2 security key, in each of its constraints or in every alternative of its authentication method chains.',
  risk: 'A phishing site can relay text message codes, one-time passwords and push notifications, and can also capture the session. If a single administrator is deceived, the whole organization can be compromised.',
  remediation:
    '1. Sign in to the admin console and go to Security > Authentication Policies. 2. Open the policy that is assigned to the admin console. 3. Make sure that all administrators have enrolled a phishing-resistant factor. 4. Edit the top active rule and select "Phishing resistant" under "Possession factor constraints are". 5. Save the rule, and repeat these steps for every subsequent rule that users can reach.',
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
    'Only the Super Administrator role can see first-party apps; with any other role the result is MANUAL. The constraints of a rule are alternatives, as are its authentication method chains, so the weakest alternative determines the result. Rules are evaluated from the top down, up to the first rule without conditions. Users who do not match the conditions of a rule, such as groups or network zones, fall through to the next rule.',
  needs: ['adminConsoleApp'],
  evaluate: (context) => evaluateSignOn(adminConsole(context), PHISHING_RESISTANT),
});
