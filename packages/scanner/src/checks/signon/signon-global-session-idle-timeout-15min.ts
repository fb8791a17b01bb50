import { defineCheck } from '../check.ts';
import { evaluateSessionLimit, minutes } from '../session-limit.ts';
import { evaluateSessionPolicies } from './session-policies.ts';

export const check = defineCheck({
  id: 'signon_global_session_idle_timeout_15min',
  service: 'signon',
  severity: 'medium',
  title: 'Active global session policies limit idle time to 15 minutes in a non-default rule at priority 1',
  description:
    'Global session policies control how long a session can stay idle before the user must sign in again. Every active policy must have a non-default rule at priority 1 with an idle timeout of 1 to 15 minutes. The built-in default rule does not count, and neither does a stricter rule at a lower priority.',
  risk: "Anyone with physical access to an unattended workstation can take over an open session. With single sign-on, one hijacked session gives access to all of the user's apps without another password or MFA prompt.",
  remediation:
    '1. Sign in to the admin console and go to Security > Global Session Policy. 2. Select an active policy. 3. Add a rule, or edit a rule other than "Default Rule". 4. Set the maximum global session idle time to 15 minutes or less. A value of 0 disables the limit. 5. Save the rule, move it to priority 1, and make sure that it is active. 6. Repeat these steps for every active policy.',
  references: [
    'https://help.okta.com/oie/en-us/content/topics/identity-engine/policies/add-okta-sign-on-policy-rule.htm',
    'https://developer.okta.com/docs/api/openapi/okta-management/management/tag/Policy/',
    'https://www.stigviewer.com/stigs/okta_identity_as_a_service_idaas_v1',
  ],
  category: 'identity-access',
  stig: {
    requirement: '000020',
    group: 'V-273186',
    rule: 'SV-273186r1098825_rule',
    category: 'CAT II',
    ccis: ['000057', '001133'],
  },
  notes:
    'The STIG covers only the Default Policy; this check evaluates every active policy. Timeouts shorter than 15 minutes also pass.',
  needs: ['sessionPolicies'],
  evaluate: (context) => {
    const longest = context.thresholds.maxSessionIdleMinutes;
    return evaluateSessionPolicies(context, {
      required: `a non-default rule at priority 1 with an idle timeout of 1 to ${minutes(longest)}`,
      allowsDefaultRule: false,
      evaluate: (rule, label) =>
        evaluateSessionLimit(`The idle timeout in ${label}`, rule.maxSessionIdleMinutes, longest),
    });
  },
});
