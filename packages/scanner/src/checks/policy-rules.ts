import type { NetworkCondition, Ranked } from '../directory/snapshot.ts';

/**
 * Policies, their rules, apps and log streams are active unless they say otherwise: a missing or empty status
 * counts as active. Authenticators, zones and identity providers are stricter and do not use this.
 */
export function isActive({ status }: { readonly status: string | null }): boolean {
  return status === null || status === '' || status.toUpperCase() === 'ACTIVE';
}

/** Policies and rules in the order in which the directory looks at them: by priority, without one last, then by name. */
export function sortByPriority<Item extends Ranked>(items: readonly Item[]): Item[] {
  return items.toSorted(compareRank);
}

/** By code units: the same order on every machine, whatever its language. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Active ones in the order in which the directory looks at them. */
export function activeByPriority<Item extends Ranked>(items: readonly Item[]): Item[] {
  return sortByPriority(items.filter(isActive));
}

/** The first active rule, if its priority is exactly 1: an inactive rule at 1 does not move the next one up. */
export function priorityOneRule<Rule extends Ranked>(rules: readonly Rule[]): Rule | undefined {
  const [first] = activeByPriority(rules);
  return first?.priority === 1 ? first : undefined;
}

/** The rule that a session policy is born with. */
export function isDefaultRule({ system, name }: Ranked): boolean {
  return system || name === 'Default Rule';
}

/** The rule that an app's sign-on policy is born with. */
export function isCatchAllRule({ system, name }: Ranked): boolean {
  return system || name === 'Catch-all Rule';
}

/**
 * Whether a rule binds users to network zones. One that only excludes zones lets users in from everywhere else, unless it
 * denies access everywhere else.
 */
export function enforcesZone({ access, network }: Conditional): boolean {
  return network.include.length > 0 || (denies({ access }) && network.exclude.length > 0);
}

interface Conditional {
  readonly access: string | null;
  readonly network: NetworkCondition;
}

export function denies({ access }: { readonly access: string | null }): boolean {
  return access?.toUpperCase() === 'DENY';
}

/** A priority as a sentence shows it. */
export function priorityText({ priority }: Ranked): string {
  return `priority ${priority ?? 'unset'}`;
}

function compareRank(a: Ranked, b: Ranked): number {
  const [first, second] = [a.priority ?? Number.POSITIVE_INFINITY, b.priority ?? Number.POSITIVE_INFINITY];
  return first === second ? compareText(a.name, b.name) : first - second;
}
