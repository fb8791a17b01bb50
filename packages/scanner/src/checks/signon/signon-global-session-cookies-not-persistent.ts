import { defineCheck } from '../check.ts';
import type { Outcome } from '../session-limit.ts';
import { evaluateSessionPolicies } from './session-policies.ts';

export const check = defineCheck({
  id: 'signon_global_session_cookies_not_persistent',
  service: 'signon',
  severity: 'medium',
  title:
    'Every active global session policy switches persistent session cookies off, in a non-default rule at priority 1',
  description:
    'The rule at priority 1 of a global session policy decides whether the session cookie outlives the browser. This check asks every active policy for a rule of its own at priority 1 that switches persistent cookies off.',
  risk: 'A persistent cookie keeps a session alive after the browser was closed. On a shared or stolen device the next person is signed in as the last one, and the cookie lies on the disk for malware to copy.',
  remediation:
    '1. Sign in to the admin console and go to Security > Global Session Policy. 2. Select an active policy. 3. Add a rule, or edit one that is not "Default Rule". 4. Set "Global session cookies persist across browser sessions" to Disable. 5. Save the rule, move it to priority 1 and make sure that it is active. 6. Repeat this for every active policy.',
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
  notes: 'The STIG names the Default Policy only; this check evaluates every active policy.',
  needs: ['sessionPolicies'],
  evaluate: (context) =>
    evaluateSessionPolicies(context, {
      wanted: 'a non-default rule at priority 1 that switches persistent session cookies off',
      allowsDefaultRule: false,
      evaluate: ({ usePersistentCookie }, label) =>
        evaluateCookie(usePersistentCookie, `session cookies in ${label}`),
    }),
});

function evaluateCookie(persistent: boolean | null, cookies: string): Outcome {
  if (persistent === null) {
    return {
      status: 'FAIL',
      detail: `Whether the ${cookies} are persistent is not asserted; required is that they are not.`,
    };
  }
  return persistent
    ? {
        status: 'FAIL',
        detail: `The ${cookies} are persistent, so that a session survives a restart of the browser; required is that they are not.`,
      }
    : { status: 'PASS', detail: `The ${cookies} are not persistent, as required.` };
}
