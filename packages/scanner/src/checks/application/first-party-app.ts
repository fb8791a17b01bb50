import type { Dialect } from '../../directory/dialect.ts';
import type { Read } from '../../directory/read.ts';
import type { AccessRule, App } from '../../directory/snapshot.ts';
import { couldNotRead, type JudgeContext, type JudgedResource, type Verdict } from '../check.ts';
import { isCatchAllRule, priorityText, topActiveRule } from '../policy-rules.ts';
import { unreadResource } from '../unread-resource.ts';
import { ASSIGN_SUPER_ADMINISTRATOR, couldNotReadFirstParty } from './super-administrator.ts';

/** One of the two apps that the directory brings with it. */
export interface FirstPartyApp {
  readonly read: Read<App | undefined>;
  /** As a sentence calls it: `Directory Admin Console (saasure)`. */
  readonly label: string;
  readonly dialect: Dialect;
}

/** What a check asks of the first rule that the sign-on policy of an app has. */
export interface TopRuleRequirement {
  /** `factor mode 2FA` */
  readonly wanted: string;
  meets(rule: AccessRule): boolean;
  /** What the rule has, as the end of a sentence: `has factor mode 1FA`. */
  describe(rule: AccessRule): string;
}

export function adminConsole({ snapshot, dialect }: JudgeContext<'adminConsoleApp'>): FirstPartyApp {
  const label = `${dialect.title} Admin Console (${dialect.adminConsoleApp})`;
  return { read: snapshot.adminConsoleApp, label, dialect };
}

export function dashboard({ snapshot, dialect }: JudgeContext<'dashboardApp'>): FirstPartyApp {
  const label = `${dialect.title} Dashboard (${dialect.dashboardApp})`;
  return { read: snapshot.dashboardApp, label, dialect };
}

/** Judges the first active rule of the app's sign-on policy, whatever its priority; the catch-all rule may be it. */
export function judgeTopRule(
  { read, label, dialect }: FirstPartyApp,
  requirement: TopRuleRequirement,
): readonly Verdict[] {
  if (read.kind === 'unread') {
    const { problem } = read;
    return [
      couldNotReadFirstParty(
        problem,
        unreadResource('directory-built-in-app', problem),
        `The app ${label}`,
        dialect,
      ),
    ];
  }
  return [
    read.value === undefined ? hidden(label, dialect, requirement) : judgeApp(read.value, label, requirement),
  ];
}

function hidden(label: string, { title }: Dialect, { wanted }: TopRuleRequirement): Verdict {
  return {
    status: 'MANUAL',
    detail: `The app ${label} was not returned: ${title} shows first-party apps to the role Super Administrator only. Required of the top rule of its sign-on policy is ${wanted}. ${ASSIGN_SUPER_ADMINISTRATOR}`,
    resource: { id: 'directory-built-in-app-missing', name: '(app not found)', data: null },
  };
}

function judgeApp(app: App, label: string, requirement: TopRuleRequirement): Verdict {
  const resource: JudgedResource = { id: app.id, name: app.name, data: app };
  const wanted = `required is ${requirement.wanted}`;
  if (app.accessPolicy === null) {
    return { status: 'FAIL', detail: `No sign-on policy is bound to the app ${label}; ${wanted}.`, resource };
  }
  const { rules } = app.accessPolicy;
  if (rules.kind === 'unread') {
    const { problem } = rules;
    // Without the scope no policy can be read: the finding is about the scan, not about this app.
    const judged = problem.cause === 'scope' ? unreadResource('directory-built-in-app', problem) : resource;
    return couldNotRead(problem, judged, `The rules of the sign-on policy of the app ${label}`);
  }
  const rule = topActiveRule(rules.value);
  if (rule === undefined) {
    const detail = `The sign-on policy of the app ${label} has no active rules; ${wanted}.`;
    return { status: 'FAIL', detail, resource };
  }
  const kind = isCatchAllRule(rule) ? 'built-in catch-all' : 'non-default';
  return {
    status: requirement.meets(rule) ? 'PASS' : 'FAIL',
    detail: `The top active rule of the sign-on policy of the app ${label} is the ${kind} rule "${rule.name}" (${priorityText(rule)}), which ${requirement.describe(rule)}; ${wanted}.`,
    resource,
  };
}
