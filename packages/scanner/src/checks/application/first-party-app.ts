import type { Dialect } from '../../directory/dialect.ts';
import type { Read } from '../../directory/read-result.ts';
import type { AccessRule, App } from '../../directory/snapshot.ts';
import {
  type EvaluatedResource,
  type EvaluationContext,
  type Status,
  unreadResource,
  unreadVerdict,
  type Verdict,
} from '../check.ts';
import { activeByPriority, denies, isCatchAllRule, priorityText } from '../policy-rules.ts';
import type { RuleOutcome, RuleRequirement } from './rule-requirement.ts';
import { ASSIGN_SUPER_ADMINISTRATOR, unreadFirstPartyVerdict } from './super-administrator.ts';

/** One of the two built-in apps of the directory. */
export interface FirstPartyApp {
  readonly read: Read<App | undefined>;
  /** Name in messages, such as `Directory Admin Console (saasure)`. */
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

/**
 * Evaluates the active rules that users can reach in the app's sign-on policy, from the top down and including the
 * catch-all rule.
 */
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
      ? invisibleAppVerdict(label, dialect, requirement)
      : evaluateApp(read.value, label, requirement),
  ];
}

function invisibleAppVerdict(label: string, { title }: Dialect, { required }: RuleRequirement): Verdict {
  return {
    status: 'MANUAL',
    detail: `The app ${label} was not returned. ${title} returns first-party apps only to the Super Administrator role. Required for the app's sign-on policy: ${required}. ${ASSIGN_SUPER_ADMINISTRATOR}`,
    resource: { id: 'directory-built-in-app-missing', name: '(app not found)', data: null },
  };
}

function evaluateApp(app: App, label: string, requirement: RuleRequirement): Verdict {
  const resource: EvaluatedResource = { id: app.id, name: app.name, data: app };
  const required = `Required: ${requirement.required}.`;
  if (app.accessPolicy === null) {
    return {
      status: 'FAIL',
      detail: `No sign-on policy is assigned to the app ${label}. ${required}`,
      resource,
    };
  }
  const { rules } = app.accessPolicy;
  if (rules.kind === 'unread') {
    const { problem } = rules;
    // Without the scope, no policy can be read, so the problem concerns the scan rather than this app.
    const evaluated =
      problem.cause === 'scope' ? unreadResource('directory-built-in-app', problem) : resource;
    return unreadVerdict(problem, evaluated, `The sign-on policy rules of the app ${label}`);
  }
  const active = activeByPriority(rules.value);
  const decided = decisive(active, requirement);
  if (decided === undefined) {
    const detail = `The sign-on policy of the app ${label} has no active rules. ${required}`;
    return { status: 'FAIL', detail, resource };
  }
  const { status, rule, observed } = decided;
  const ruleType = isCatchAllRule(rule) ? 'built-in catch-all' : 'non-default';
  const subject =
    rule === active[0]
      ? `The top active rule in the sign-on policy of the app ${label} is`
      : `In the sign-on policy of the app ${label}, users who match no earlier rule reach`;
  return {
    status,
    detail: `${subject} the ${ruleType} rule "${rule.name}" (${priorityText(rule)}), which ${observed}. ${required}`,
    resource,
  };
}

interface EvaluatedRule extends RuleOutcome {
  readonly rule: AccessRule;
}

/**
 * The first reachable rule that fails; otherwise, the first that needs manual verification; otherwise, the first that
 * grants access.
 */
function decisive(active: readonly AccessRule[], requirement: RuleRequirement): EvaluatedRule | undefined {
  const evaluated = reachable(active).map((rule) => ({ rule, ...evaluateRule(rule, requirement) }));
  const first = (searched: Status) => evaluated.find(({ status }) => status === searched);
  return first('FAIL') ?? first('MANUAL') ?? evaluated.find(({ rule }) => !denies(rule)) ?? evaluated[0];
}

/** A rule with conditions passes unmatched users on to the next rule; a rule without conditions matches everyone. */
function reachable(active: readonly AccessRule[]): readonly AccessRule[] {
  const last = active.findIndex(({ conditions }) => conditions.length === 0);
  return last === -1 ? active : active.slice(0, last + 1);
}

function evaluateRule(rule: AccessRule, requirement: RuleRequirement): RuleOutcome {
  return denies(rule) ? { status: 'PASS', observed: 'denies access' } : requirement.evaluate(rule);
}
