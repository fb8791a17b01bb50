import { defineCheck } from '../check.ts';
import { evaluateSessionLimit, minutes } from '../session-limit.ts';
import { evaluateSessionPolicies } from './session-policies.ts';

export const check = defineCheck({
  id: 'signon_global_session_idle_timeout_15min',
  service: 'signon',
  severity: 'medium',
  title:
    'Every active global session policy ends idle sessions after at most 15 minutes, in a non-default rule at priority 1',
  description:
    'The rule at priority 1 of a global session policy decides how long a session of the directory may stay idle before the user has to sign in again. This check asks every active policy for a rule of its own at priority 1 whose idle timeout is between 1 and 15 minutes. The built-in default rule does not count, and a strict rule further down does not help.',
  risk: 'A session that stays open on an unattended workstation can be taken over by whoever sits down at it. With single sign-on that one session opens every app of its user, and nobody is asked for a password or a second factor again.',
  remediation:
    '1. Sign in to the admin console and go to Security > Global Session Policy. 2. Select an active policy. 3. Add a rule, or edit one that is not "Default Rule". 4. Set the maximum global session idle time to 15 minutes or less; 0 is not a limit. 5. Save the rule, move it to priority 1 and make sure that it is active. 6. Repeat this for every active policy.',
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
    'The STIG names the Default Policy only; this check evaluates every active policy, and accepts a shorter timeout than 15 minutes.',
  needs: ['sessionPolicies'],
  evaluate: (context) => {
    const longest = context.thresholds.maxSessionIdleMinutes;
    return evaluateSessionPolicies(context, {
      wanted: `a non-default rule at priority 1 with an idle timeout of 1 to ${minutes(longest)}`,
      allowsDefaultRule: false,
      evaluate: (rule, label) =>
        evaluateSessionLimit(`The idle timeout in ${label}`, rule.maxSessionIdleMinutes, longest),
    });
  },
});
