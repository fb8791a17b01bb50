import type { ReadProblem } from '../../directory/read-result.ts';
import type { AccessRule, App } from '../../directory/snapshot.ts';
import { type EvaluatedResource, unreadVerdict, type Verdict } from '../check.ts';
import { activeByPriority, enforcesZone, isCatchAllRule } from '../policy-rules.ts';

const REQUIRED =
  'Required: a network zone in every non-default rule, and a catch-all rule that denies access.';

/** Evaluates whether an app's sign-on policy allows access only from network zones. */
export function evaluateZones(app: App): Verdict {
  const resource: EvaluatedResource = { id: app.id, name: appName(app), data: app };
  const label = `app "${appName(app)}" (${app.name}, id ${app.id})`;
  const fail = (problem: string): Verdict => ({
    status: 'FAIL',
    detail: `${problem}. ${REQUIRED}`,
    resource,
  });

  if (app.accessPolicy === null) return fail(`No sign-on policy is assigned to the ${label}`);
  const { rules } = app.accessPolicy;
  if (rules.kind === 'unread') {
    return unreadVerdict(rules.problem, resource, `The sign-on policy rules of the ${label}`);
  }
  const active = activeByPriority(rules.value);
  const custom = active.filter((rule) => !isCatchAllRule(rule));
  const [catchAll] = active.filter(isCatchAllRule);
  const open = custom.filter((rule) => !enforcesZone(rule));
  const policy = `The sign-on policy of the ${label}`;
  if (active.length === 0) return fail(`${policy} has no active rules`);
  if (custom.length === 0) return fail(`${policy} has no active rules other than the catch-all rule`);
  if (open.length > 0) {
    return fail(
      `${policy} has no network zone in ${open.length} of its ${custom.length} active non-default rules: ${names(open)}`,
    );
  }
  if (catchAll === undefined) return fail(`${policy} has no active catch-all rule`);
  if (catchAll.access !== 'DENY') {
    return fail(
      `The catch-all rule "${catchAll.name}" in the sign-on policy of the ${label} has access ${catchAll.access || 'unset'}`,
    );
  }
  return {
    status: 'PASS',
    detail: `${policy} has a network zone in all active non-default rules (${custom.length}), and its catch-all rule "${catchAll.name}" denies access.`,
    resource,
  };
}

/** The display name of an app. */
export function appName({ label, name }: App): string {
  return label || name;
}

/**
 * The missing scope that prevents the scanner from reading any sign-on policy, if one of these apps reports a missing
 * scope.
 */
export function missingRulesScope(apps: readonly App[]): ReadProblem | undefined {
  for (const { accessPolicy } of apps) {
    if (accessPolicy?.rules.kind === 'unread' && accessPolicy.rules.problem.cause === 'scope') {
      return accessPolicy.rules.problem;
    }
  }
  return undefined;
}

function names(rules: readonly AccessRule[]): string {
  return rules.map(({ name }) => `"${name}"`).join(', ');
}
