import type { AccessRule, Ranked, SessionRule } from '../directory/snapshot.ts';

/**
 * Whether a policy, rule, app or log stream is active; a missing or empty status counts as active. Authenticators,
 * zones and identity providers need an explicit status and do not use this function.
 */
export function isActive({ status }: { readonly status: string | null }): boolean {
  return status === null || status === '' || status.toUpperCase() === 'ACTIVE';
}

/** The active policies or rules in evaluation order: by priority, items without a priority last, then by name. */
export function activeByPriority<Item extends Ranked>(items: readonly Item[]): Item[] {
  return items.filter(isActive).sort(compareRank);
}

function compareRank(a: Ranked, b: Ranked): number {
  const [first, second] = [a.priority ?? Number.POSITIVE_INFINITY, b.priority ?? Number.POSITIVE_INFINITY];
  return first === second ? compareText(a.name, b.name) : first - second;
}

/** Compares by code units, so that the order does not depend on the locale. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * Returns the first active rule if its priority is exactly 1. If the rule at priority 1 is inactive, the next rule does
 * not replace it.
 */
export function priorityOneRule<Rule extends Ranked>(rules: readonly Rule[]): Rule | undefined {
  const [first] = activeByPriority(rules);
  return first?.priority === 1 ? first : undefined;
}

/** The built-in rule of a session policy. */
export function isDefaultRule({ system, name }: Ranked): boolean {
  return system || name === 'Default Rule';
}

/** The built-in rule of an app's sign-on policy. */
export function isCatchAllRule({ system, name }: Ranked): boolean {
  return system || name === 'Catch-all Rule';
}

/**
 * Whether a rule restricts users to network zones. A rule that only excludes zones allows access from everywhere else,
 * unless it denies access.
 */
export function enforcesZone({
  access,
  network,
}: Pick<AccessRule | SessionRule, 'access' | 'network'>): boolean {
  return network.include.length > 0 || (denies({ access }) && network.exclude.length > 0);
}

/** Whether a rule denies access. */
export function denies({ access }: Pick<AccessRule | SessionRule, 'access'>): boolean {
  return access?.toUpperCase() === 'DENY';
}

/** The priority as text for messages. */
export function priorityText({ priority }: Ranked): string {
  return `priority ${priority ?? 'unset'}`;
}
