import type { ReadProblem } from '../../directory/read.ts';
import type { AccessRule, App } from '../../directory/snapshot.ts';
import { type EvaluatedResource, unreadVerdict, type Verdict } from '../check.ts';
import { activeByPriority, enforcesZone, isCatchAllRule } from '../policy-rules.ts';

const WANTED =
  'required is a network zone in every non-default rule, and a catch-all rule that denies everybody else';

/** Evaluates whether the sign-on policy of an app lets in nobody but through a network zone. */
export function evaluateZones(app: App): Verdict {
  const resource: EvaluatedResource = { id: app.id, name: appName(app), data: app };
  const label = `app "${appName(app)}" (${app.name}, id ${app.id})`;
  const fail = (what: string): Verdict => ({ status: 'FAIL', detail: `${what}; ${WANTED}.`, resource });

  if (app.accessPolicy === null) return fail(`No sign-on policy is bound to the ${label}`);
  const { rules } = app.accessPolicy;
  if (rules.kind === 'unread') {
    return unreadVerdict(rules.problem, resource, `The rules of the sign-on policy of the ${label}`);
  }
  const active = activeByPriority(rules.value);
  const custom = active.filter((rule) => !isCatchAllRule(rule));
  const [catchAll] = active.filter(isCatchAllRule);
  const open = custom.filter((rule) => !enforcesZone(rule));
  const policy = `The sign-on policy of the ${label}`;
  if (active.length === 0) return fail(`${policy} has no active rules`);
  if (custom.length === 0) return fail(`${policy} has no active rules but the catch-all rule`);
  if (open.length > 0) {
    return fail(
      `${policy} has ${open.length} of ${custom.length} active non-default ${plural(custom)} without a network zone: ${names(open)}`,
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
    detail: `${policy} has a network zone in each of its ${custom.length} active non-default ${plural(custom)}, and its catch-all rule "${catchAll.name}" has access DENY, as required.`,
    resource,
  };
}

/** The name by which people know an app. */
export function appName({ label, name }: App): string {
  return label || name;
}

/** The missing scope that keeps every sign-on policy from being read, if one of these apps shows it. */
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

function plural({ length }: readonly AccessRule[]): string {
  return length === 1 ? 'rule' : 'rules';
}
