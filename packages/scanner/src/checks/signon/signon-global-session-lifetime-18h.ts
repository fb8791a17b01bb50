import { defineCheck } from '../check.ts';
import { evaluateSessionLimit, minutes } from '../session-limit.ts';
import { evaluateSessionPolicies } from './session-policies.ts';

export const check = defineCheck({
  id: 'signon_global_session_lifetime_18h',
  service: 'signon',
  severity: 'medium',
  title:
    'Every active global session policy ends sessions after at most 18 hours, in a non-default rule at priority 1',
  description:
    'The rule at priority 1 of a global session policy decides how long a session of the directory lives, however busy its user is. This check asks every active policy for a rule of its own at priority 1 whose session lifetime is between 1 minute and 18 hours (1080 minutes).',
  risk: 'A session without an end stays usable for whoever has stolen its cookie, for as long as it is kept busy. Its user is never made to sign in again, so that a role taken away or a stronger sign-in rule may not be felt for days.',
  remediation:
    '1. Sign in to the admin console and go to Security > Global Session Policy. 2. Select an active policy. 3. Add a rule, or edit one that is not "Default Rule". 4. Set the maximum global session lifetime to a time limit of 18 hours or less; do not choose "No time limit", which is stored as 0. 5. Save the rule, move it to priority 1 and make sure that it is active. 6. Repeat this for every active policy.',
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
  notes: 'The STIG names the Default Policy only; this check evaluates every active policy.',
  needs: ['sessionPolicies'],
  evaluate: (context) => {
    const longest = context.thresholds.maxSessionLifetimeMinutes;
    return evaluateSessionPolicies(context, {
      wanted: `a non-default rule at priority 1 with a session lifetime of 1 to ${minutes(longest)}`,
      allowsDefaultRule: false,
      evaluate: (rule, label) =>
        evaluateSessionLimit(`The session lifetime in ${label}`, rule.maxSessionLifetimeMinutes, longest),
    });
  },
});
