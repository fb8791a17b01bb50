import { defineCheck } from '../check.ts';
import { enforcesZone } from '../policy-rules.ts';
import { evaluateSessionPolicies } from './session-policies.ts';

export const check = defineCheck({
  id: 'signon_global_session_policy_network_zone_enforced',
  service: 'signon',
  severity: 'medium',
  title: 'Every active global session policy depends on a network zone in its rule at priority 1',
  description:
    'A network zone in the rule at priority 1 of a global session policy makes the directory allow or deny a session by the address that its user comes from. This check asks every active policy for at least one zone that this rule includes: one that only excludes zones lets users in from everywhere else, unless it denies access there. The built-in default rule counts as well.',
  risk: 'Without a condition on the network, stolen credentials open a session from anywhere in the world, and the access control policy of the organization, which names the addresses that are allowed or denied, is not enforced at the door.',
  remediation:
    '1. Sign in to the admin console and go to Security > Networks. 2. Add the zones that your access control policy allows or denies. 3. Go to Security > Global Session Policy and select an active policy. 4. Edit the rule at priority 1 and set "User\'s IP is" to "In zone" with these zones. 5. Save the rule and make sure that it is active. 6. Repeat this for every active policy.',
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
    'The check sees that a zone is named, not that its addresses are those of the access control policy; compare them by hand.',
  needs: ['sessionPolicies'],
  evaluate: (context) =>
    evaluateSessionPolicies(context, {
      wanted: 'a rule at priority 1 that includes at least one network zone, or denies access outside of one',
      allowsDefaultRule: true,
      evaluate: (rule, label) => {
        const { include, exclude } = rule.network;
        return {
          status: enforcesZone(rule) ? 'PASS' : 'FAIL',
          detail: `The condition on the network in ${label} includes ${zones(include)} and excludes ${zones(exclude)}; it must include at least one, or deny access outside of one.`,
        };
      },
    }),
});

function zones({ length }: readonly string[]): string {
  return length === 1 ? '1 network zone' : `${length} network zones`;
}
