import { defineCheck } from '../check.ts';
import { evaluateSessionLimit, minutes } from '../session-limit.ts';
import { evaluateSessionPolicies } from './session-policies.ts';

export const check = defineCheck({
  id: 'signon_global_session_lifetime_18h',
  service: 'signon',
  severity: 'medium',
  title:
    'Active global session policies limit session lifetime to 18 hours in a non-default rule at priority 1',
  description:
    'Global session policies control how long a session can last, regardless of user activity. Every active policy must have a non-default rule at priority 1 with a session lifetime of at most 18 hours (1,080 minutes). A lifetime of 0 means that sessions never expire.',
  risk: 'A session without a maximum lifetime remains usable for as long as it is kept active, so a stolen session cookie can be replayed indefinitely. Users are not asked to sign in again, which delays the effect of role changes and stricter sign-on rules.',
  remediation:
    '1. Sign in to the admin console and go to Security > Global Session Policy. 2. Select an active policy. 3. Add a rule, or edit a rule other than "Default Rule". 4. Set a time limit of 18 hours or less for the maximum global session lifetime. Do not select "No time limit", which is stored as 0 minutes. 5. Save the rule, move it to priority 1, and make sure that it is active. 6. Repeat these steps for every active policy.',
  references: [
    'https://help.okta.com/oie/en-us/content/topics/identity-engine/policies/add-okta-sign-on-policy-rule.htm',
    'https://developer.okta.com/docs/api/openapi/okta-management/management/tag/Policy/',
    'https://www.stigviewer.com/stigs/okta_identity_as_a_service_idaas_v1',
  ],
  category: 'identity-access',
  stig: {
    requirement: '001665',
    group: 'V-273203',
    rule: 'SV-273203r1099958_rule',
    category: 'CAT II',
    ccis: ['002038'],
  },
  notes: 'The STIG covers only the Default Policy; this check evaluates every active policy.',
  needs: ['sessionPolicies'],
  evaluate: (context) => {
    const longest = context.thresholds.maxSessionLifetimeMinutes;
    return evaluateSessionPolicies(context, {
      required: `a non-default rule at priority 1 with a session lifetime of 1 to ${minutes(longest)}`,
      allowsDefaultRule: false,
      evaluate: (rule, label) =>
        evaluateSessionLimit(`The session lifetime in ${label}`, rule.maxSessionLifetimeMinutes, longest),
    });
  },
});
