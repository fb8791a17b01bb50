import type { Dialect } from '../../directory/dialect.ts';
import type { ReadProblem } from '../../directory/read-result.ts';
import type { App } from '../../directory/snapshot.ts';
import {
  defineCheck,
  type EvaluatedResource,
  unreadResource,
  unreadVerdict,
  type Verdict,
} from '../check.ts';
import { compareText, isActive } from '../policy-rules.ts';
import { appName, evaluateZones, missingRulesScope } from './zoned-app.ts';

export const check = defineCheck({
  id: 'application_authentication_policy_network_zone_enforced',
  service: 'application',
  severity: 'medium',
  title: 'The sign-on policies of active apps allow access only from network zones',
  description:
    "A sign-on policy can restrict access to an app by the user's network location. Every active app must have a sign-on policy in which each non-default rule includes a network zone and the catch-all rule denies access.",
  risk: 'Without network restrictions, an app can be opened from anywhere with stolen credentials. If only some apps are restricted, attackers target the others.',
  remediation:
    '1. Sign in to the admin console and go to Security > Networks. 2. Add the zones that each app\'s access control policy defines. 3. Go to Applications > Applications, open an active app and follow the link to its authentication policy on the Sign On tab. Assign a policy if there is none. 4. In every rule except the catch-all rule, set "User\'s IP is" to "In zone" with these zones. 5. Set the catch-all rule to deny access. 6. Save the policy, and repeat these steps for every active app.',
  references: [
    'https://help.okta.com/oie/en-us/content/topics/security/network/network-zones.htm',
    'https://help.okta.com/oie/en-us/content/topics/identity-engine/policies/about-app-sign-on-policies.htm',
    'https://public.cyber.mil/stigs/downloads/',
  ],
  category: 'identity-access',
  stig: {
    requirement: '003244',
    group: 'V-279693',
    rule: 'SV-279693r1155078_rule',
    category: 'CAT II',
    ccis: ['001414'],
  },
  notes:
    'With the Read-Only Administrator role, the directory returns only the apps that are assigned to the service app, so the result is incomplete, as every finding states. The Super Administrator role can see all apps. Inactive apps, and connectors that users cannot sign in to, are not evaluated.',
  needs: ['apps', 'adminConsoleApp'],
  evaluate: ({ snapshot: { apps, adminConsoleApp }, dialect }) => {
    if (apps.kind === 'unread')
      return [unreadVerdict(apps.problem, unreadApps(apps.problem, dialect), 'The apps')];

    const active = apps.value
      .filter((app) => isActive(app) && isSignInApp(app, dialect))
      .toSorted(compareApps);
    const problem = missingRulesScope(active);
    if (problem !== undefined) {
      return [unreadVerdict(problem, unreadApps(problem, dialect), 'The rules of app sign-on policies')];
    }
    const verdicts = active.length === 0 ? [noActiveApp(dialect)] : active.map(evaluateZones);
    // Roles that cannot see the admin console can see only apps that are assigned to the service app.
    const partial = adminConsoleApp.kind === 'read' && adminConsoleApp.value === undefined;
    return partial ? verdicts.map(markAsPartial) : verdicts;
  },
});

/** In Okta, an app without a sign-on mode is a connector, such as a directory agent. */
function isSignInApp({ signOnMode }: App, { name }: Dialect): boolean {
  return name !== 'okta' || Boolean(signOnMode);
}

function markAsPartial(verdict: Verdict): Verdict {
  return {
    ...verdict,
    detail: `${verdict.detail} Only apps that are assigned to the service app were visible to this scan; the Super Administrator role can see all apps.`,
  };
}

function noActiveApp({ title }: Dialect): Verdict {
  return {
    status: 'MANUAL',
    detail: `${title} returned no active apps. Verify manually that the sign-on policy of every app uses network zones.`,
    resource: { id: 'directory-apps-missing', name: `${title} applications`, data: null },
  };
}

function unreadApps(problem: ReadProblem, { title }: Dialect): EvaluatedResource {
  return {
    ...unreadResource('directory-integrated-apps', problem),
    name: `${title} integrated applications`,
  };
}

function compareApps(a: App, b: App): number {
  return compareText(appName(a), appName(b)) || compareText(a.id, b.id);
}
