import type { Check } from '../checks/check.ts';
import type { Coverage } from '../client/coverage.ts';
import type { Dialect } from '../directory/dialect.ts';
import type { Snapshot } from '../directory/snapshot.ts';
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
export function coverageOf(scope: ScanScope): Coverage {
  const { allChecks, checks, areAllEvaluated, status } = scope;
  if (status.length > 0 || !areAllEvaluated || !isEverythingRead(scope)) return 'partial';
  const selected = new Set(checks.map(({ id }) => id));
  return allChecks.every(({ id }) => selected.has(id)) ? 'account' : 'checks';
}

function isEverythingRead({ checks, snapshot, dialect }: ScanScope): boolean {
  const needs = [...new Set(checks.flatMap((check) => check.needs))];
  const visited = new Set<object>();
  return needs.every((key) => {
    const { [key]: resource } = snapshot;
    if (resource.kind === 'unread' || resource.value === undefined) return false;
    if (hasFailedRead(resource.value, visited)) return false;
    return key !== 'apps' || seesAllApps(snapshot, dialect);
  });
}

/**
 * Whether a value contains a failed read, such as the rules of one policy. `visited` prevents repeated visits of policies
 * that apps share.
 */
function hasFailedRead(value: unknown, visited: Set<object>): boolean {
  if (typeof value !== 'object' || value === null || visited.has(value)) return false;
  visited.add(value);
  if ('kind' in value && value.kind === 'unread') return true;
  return Object.values(value).some((nested) => hasFailedRead(nested, visited));
}

/** A role that cannot see the admin console can see only the apps that are assigned to the service app. */
function seesAllApps({ apps, adminConsoleApp }: Snapshot, { adminConsoleApp: name }: Dialect): boolean {
  if (adminConsoleApp.kind === 'read' && adminConsoleApp.value !== undefined) return true;
  return apps.kind === 'read' && apps.value.some((app) => app.name === name);
}
