import type { Check } from '../checks/check.ts';
import type { Dialect } from '../directory/dialect.ts';
import type { Read } from '../directory/read-result.ts';
import type { ResourceKey, Snapshot } from '../directory/snapshot.ts';
import type { StatusFilter } from '../selection/select-checks.ts';

export interface ScanScope {
  /** All checks of the dialect. */
  readonly allChecks: readonly Check[];
  /** The checks that the user selected. */
  readonly checks: readonly Check[];
  /** Whether every selected check was evaluated without an internal error. */
  readonly areAllEvaluated: boolean;
  readonly snapshot: Snapshot;
  readonly dialect: Dialect;
  /** The values of `--status`. */
  readonly status: readonly StatusFilter[];
}

/** The coverage of a scan, and the reason as a clause if it is `partial`. */
export type ScanCoverage =
  | { readonly coverage: 'checks' | 'account'; readonly reason: null }
  | { readonly coverage: 'partial'; readonly reason: string };

/**
 * The coverage that a scan can declare for its OCSF file. The service resolves findings that are missing from the file, so
 * any doubt results in `partial`:
 *
 * - `account` if all checks were evaluated and everything that they need was read;
 * - `checks` if this is true for a selection of checks;
 * - `partial` if `--status` omits findings, a check failed, or something could not be read, including things that the
 *   role cannot see.
 *
 * Muted findings are in the file, so a mutelist makes no difference.
 */
export function scanCoverage(scope: ScanScope): ScanCoverage {
  const { allChecks, checks } = scope;
  const reason = partialReason(scope);
  if (reason !== null) return { coverage: 'partial', reason };
  const selected = new Set(checks.map(({ id }) => id));
  return { coverage: allChecks.every(({ id }) => selected.has(id)) ? 'account' : 'checks', reason };
}

function partialReason(scope: ScanScope): string | null {
  if (scope.status.length > 0) return '--status omits findings';
  if (!scope.areAllEvaluated) return 'a check failed with an internal error';
  return failedReadsReason(scope) ?? hiddenAppsReason(scope);
}

/** Names the first failed read, and counts the others. */
function failedReadsReason(scope: ScanScope): string | null {
  const visited = new Set<object>();
  const details = neededKeys(scope).flatMap((key) => failedReads(scope.snapshot[key], visited));
  const [first, ...others] = new Set(details);
  if (first === undefined || others.length === 0) return first ?? null;
  return `${first}, and ${others.length === 1 ? '1 other read' : `${others.length} other reads`} failed`;
}

function hiddenAppsReason(scope: ScanScope): string | null {
  const { snapshot, dialect } = scope;
  const keys = neededKeys(scope);
  const isHidden = keys.some((key) => {
    const { [key]: resource } = snapshot;
    return resource.kind === 'read' && resource.value === undefined;
  });
  if (isHidden) return 'the role of the service app cannot see the first-party apps';
  if (keys.includes('apps') && !seesAllApps(snapshot, dialect))
    return 'the role of the service app cannot see all apps';
  return null;
}

/** The resources that the checks read. */
function neededKeys({ checks }: ScanScope): readonly ResourceKey[] {
  return [...new Set(checks.flatMap((check) => check.needs))];
}

/**
 * The details of all failed reads in a value, such as that of the rules of one policy. `visited` prevents repeated visits
 * of policies that apps share.
 */
function failedReads(value: unknown, visited: Set<object>): readonly string[] {
  if (typeof value !== 'object' || value === null || visited.has(value)) return [];
  visited.add(value);
  if (isUnread(value)) return [value.problem.detail];
  return Object.values(value).flatMap((nested) => failedReads(nested, visited));
}

function isUnread(value: object): value is Extract<Read<unknown>, { readonly kind: 'unread' }> {
  return 'kind' in value && value.kind === 'unread';
}

/** A role that cannot see the admin console can see only the apps that are assigned to the service app. */
function seesAllApps({ apps, adminConsoleApp }: Snapshot, { adminConsoleApp: name }: Dialect): boolean {
  if (adminConsoleApp.kind === 'read' && adminConsoleApp.value !== undefined) return true;
  return apps.kind === 'read' && apps.value.some((app) => app.name === name);
}
