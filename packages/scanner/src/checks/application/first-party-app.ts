import type { Dialect } from '../../directory/dialect.ts';
import type { Read } from '../../directory/read.ts';
import type { AccessRule, App } from '../../directory/snapshot.ts';
import {
  type EvaluatedResource,
  type EvaluationContext,
  type Status,
  unreadVerdict,
  type Verdict,
} from '../check.ts';
import { activeByPriority, denies, isCatchAllRule, priorityText } from '../policy-rules.ts';
import { unreadResource } from '../unread-resource.ts';
import type { RuleOutcome, RuleRequirement } from './rule-requirement.ts';
import { ASSIGN_SUPER_ADMINISTRATOR, unreadFirstPartyVerdict } from './super-administrator.ts';

/** One of the two apps that the directory brings with it. */
export interface FirstPartyApp {
  readonly read: Read<App | undefined>;
  /** As a sentence calls it: `Directory Admin Console (saasure)`. */
  readonly label: string;
  readonly dialect: Dialect;
}

export function adminConsole({ snapshot, dialect }: EvaluationContext<'adminConsoleApp'>): FirstPartyApp {
  const label = `${dialect.title} Admin Console (${dialect.adminConsoleApp})`;
  return { read: snapshot.adminConsoleApp, label, dialect };
}

export function dashboard({ snapshot, dialect }: EvaluationContext<'dashboardApp'>): FirstPartyApp {
  const label = `${dialect.title} Dashboard (${dialect.dashboardApp})`;
  return { read: snapshot.dashboardApp, label, dialect };
}

/** Evaluates the active rules of the app's sign-on policy from the top, as far down as users get; the catch-all rule counts, too. */
export function evaluateSignOn(
  { read, label, dialect }: FirstPartyApp,
  requirement: RuleRequirement,
): readonly Verdict[] {
  if (read.kind === 'unread') {
    const { problem } = read;
    return [
      unreadFirstPartyVerdict(
        problem,
        unreadResource('directory-built-in-app', problem),
        `The app ${label}`,
        dialect,
      ),
    ];
  }
  return [
    read.value === undefined
      ? hidden(label, dialect, requirement)
      : evaluateApp(read.value, label, requirement),
  ];
}

function hidden(label: string, { title }: Dialect, { wanted }: RuleRequirement): Verdict {
  return {
    status: 'MANUAL',
    detail: `The app ${label} was not returned: ${title} shows first-party apps to the role Super Administrator only. Required of the top rule of its sign-on policy is ${wanted}. ${ASSIGN_SUPER_ADMINISTRATOR}`,
    resource: { id: 'directory-built-in-app-missing', name: '(app not found)', data: null },
  };
}

function evaluateApp(app: App, label: string, requirement: RuleRequirement): Verdict {
  const resource: EvaluatedResource = { id: app.id, name: app.name, data: app };
  const wanted = `required is ${requirement.wanted}`;
  if (app.accessPolicy === null) {
    return { status: 'FAIL', detail: `No sign-on policy is bound to the app ${label}; ${wanted}.`, resource };
  }
  const { rules } = app.accessPolicy;
  if (rules.kind === 'unread') {
    const { problem } = rules;
    // Without the scope no policy can be read: the finding is about the scan, not about this app.
    const evaluated =
      problem.cause === 'scope' ? unreadResource('directory-built-in-app', problem) : resource;
    return unreadVerdict(problem, evaluated, `The rules of the sign-on policy of the app ${label}`);
  }
  const active = activeByPriority(rules.value);
  const decided = decisive(active, requirement);
  if (decided === undefined) {
    const detail = `The sign-on policy of the app ${label} has no active rules; ${wanted}.`;
    return { status: 'FAIL', detail, resource };
  }
  const { status, rule, seen } = decided;
  const kind = isCatchAllRule(rule) ? 'built-in catch-all' : 'non-default';
  const place =
    rule === active[0]
      ? `The top active rule of the sign-on policy of the app ${label} is`
      : `The sign-on policy of the app ${label} has for users whom the rules above it leave out`;
  return {
    status,
    detail: `${place} the ${kind} rule "${rule.name}" (${priorityText(rule)}), which ${seen}; ${wanted}.`,
    resource,
  };
}

interface EvaluatedRule extends RuleOutcome {
  readonly rule: AccessRule;
}

/** The first rule that a user can get to which fails, then one to verify by hand, then one that lets users in. */
function decisive(active: readonly AccessRule[], requirement: RuleRequirement): EvaluatedRule | undefined {
  const evaluated = reachable(active).map((rule) => ({ rule, ...evaluateRule(rule, requirement) }));
  const first = (wanted: Status) => evaluated.find(({ status }) => status === wanted);
  return first('FAIL') ?? first('MANUAL') ?? evaluated.find(({ rule }) => !denies(rule)) ?? evaluated[0];
}

/** A rule with conditions leaves users to the rules below it; one without leaves none. */
function reachable(active: readonly AccessRule[]): readonly AccessRule[] {
  const last = active.findIndex(({ conditions }) => conditions.length === 0);
  return last === -1 ? active : active.slice(0, last + 1);
}

function evaluateRule(rule: AccessRule, requirement: RuleRequirement): RuleOutcome {
  return denies(rule) ? { status: 'PASS', seen: 'denies access' } : requirement.evaluate(rule);
}
