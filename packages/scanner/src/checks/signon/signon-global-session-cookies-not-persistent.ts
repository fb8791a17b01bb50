import { defineCheck } from '../check.ts';
import type { Outcome } from '../session-limit.ts';
import { evaluateSessionPolicies } from './session-policies.ts';

export const check = defineCheck({
  id: 'signon_global_session_cookies_not_persistent',
  service: 'signon',
  severity: 'medium',
  title:
    'Active global session policies disable persistent session cookies in a non-default rule at priority 1',
  description:
    'Global session policies control whether the session cookie persists after the browser is closed. Every active policy must have a non-default rule at priority 1 that disables persistent session cookies.',
  risk: 'A persistent cookie keeps the session alive after the browser is closed. On a shared or stolen device, the next person can continue the session, and malware can copy the cookie from disk.',
  remediation:
    '1. Sign in to the admin console and go to Security > Global Session Policy. 2. Select an active policy. 3. Add a rule, or edit a rule other than "Default Rule". 4. Set "Global session cookies persist across browser sessions" to Disable. 5. Save the rule, move it to priority 1, and make sure that it is active. 6. Repeat these steps for every active policy.',
  references: [
    'https://help.okta.com/oie/en-us/content/topics/identity-engine/policies/add-okta-sign-on-policy-rule.htm',
    'https://developer.okta.com/docs/api/openapi/okta-management/management/tag/Policy/',
    'https://www.stigviewer.com/stigs/okta_identity_as_a_service_idaas_v1',
  ],
  category: 'identity-access',
  stig: {
    requirement: '001710',
    group: 'V-273206',
    rule: 'SV-273206r1098885_rule',
    category: 'CAT II',
    ccis: ['002007', '001942'],
  },
  notes: 'The STIG covers only the Default Policy; this check evaluates every active policy.',
  needs: ['sessionPolicies'],
  evaluate: (context) =>
    evaluateSessionPolicies(context, {
      required: 'a non-default rule at priority 1 that disables persistent session cookies',
      allowsDefaultRule: false,
      evaluate: ({ usePersistentCookie }, label) =>
        evaluateCookie(usePersistentCookie, `session cookies in ${label}`),
    }),
});

function evaluateCookie(persistent: boolean | null, cookies: string): Outcome {
  if (persistent === null) {
    return {
      status: 'FAIL',
      detail: `The ${cookies} have no persistence setting. Persistent session cookies must be disabled.`,
    };
  }
  return persistent
    ? {
        status: 'FAIL',
        detail: `The ${cookies} are persistent, so a session survives a browser restart. Persistent session cookies must be disabled.`,
      }
    : { status: 'PASS', detail: `The ${cookies} are not persistent.` };
}
