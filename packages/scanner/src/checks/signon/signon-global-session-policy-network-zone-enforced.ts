import { defineCheck } from '../check.ts';
import { enforcesZone } from '../policy-rules.ts';
import { evaluateSessionPolicies } from './session-policies.ts';

export const check = defineCheck({
  id: 'signon_global_session_policy_network_zone_enforced',
  service: 'signon',
  severity: 'medium',
  title: 'Active global session policies restrict sessions by network zone in the rule at priority 1',
  description:
    "A network zone condition makes the directory allow or deny a session based on the user's IP address. In every active global session policy, the rule at priority 1 must include at least one zone, or deny access outside an excluded zone. A rule that allows access and only excludes zones lets users sign in from everywhere else. The built-in default rule is accepted.",
  risk: 'Without a network condition, stolen credentials can open a session from anywhere, and the access control policy of the organization, which defines the allowed and denied addresses, is not enforced at sign-in.',
  remediation:
    '1. Sign in to the admin console and go to Security > Networks. 2. Add the zones that your access control policy allows or denies. 3. Go to Security > Global Session Policy and select an active policy. 4. Edit the rule at priority 1 and set "User\'s IP is" to "In zone" with these zones. 5. Save the rule and make sure that it is active. 6. Repeat these steps for every active policy.',
  references: [
    'https://help.okta.com/oie/en-us/content/topics/security/network/network-zones.htm',
    'https://help.okta.com/oie/en-us/content/topics/identity-engine/policies/add-okta-sign-on-policy-rule.htm',
    'https://public.cyber.mil/stigs/downloads/',
  ],
  category: 'identity-access',
  stig: {
    requirement: '003242',
    group: 'V-279691',
    rule: 'SV-279691r1155072_rule',
    category: 'CAT II',
    ccis: ['000213'],
  },
  notes:
    'The check verifies that a zone is configured, not that its addresses match the access control policy. Compare them manually.',
  needs: ['sessionPolicies'],
  evaluate: (context) =>
    evaluateSessionPolicies(context, {
      required:
        'a rule at priority 1 that includes at least one network zone, or denies access outside a zone',
      allowsDefaultRule: true,
      evaluate: (rule, label) => {
        const { include, exclude } = rule.network;
        return {
          status: enforcesZone(rule) ? 'PASS' : 'FAIL',
          detail: `The network condition in ${label} includes ${zones(include)} and excludes ${zones(exclude)}. It must include at least one zone, or deny access outside a zone.`,
        };
      },
    }),
});

function zones({ length }: readonly string[]): string {
  return length === 1 ? '1 network zone' : `${length} network zones`;
}
