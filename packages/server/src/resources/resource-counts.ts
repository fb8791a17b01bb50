import { SEVERITIES, type Severity, severityId } from '@sluice/ocsf';
import type { Queryable } from '../db/transaction.ts';
import { utcTimestamp } from '../db/utc-timestamp.ts';

export interface ResourceCounts {
  /** Time of the latest record; null if there are no findings. In ISO 8601 format with microseconds and `Z`. */
  readonly last_seen_at: string | null;
  readonly findings: FindingCounts;
}

interface FindingCounts {
  readonly total: number;
  /** Number of findings with the status FAIL that are not muted. */
  readonly failing: number;
  /** The failing findings by severity. */
  readonly by_severity: Readonly<Record<string, number>>;
}

interface CountRow {
  readonly resource_key: string;
  readonly severity: Severity;
  readonly total: number;
  readonly failing: number;
  readonly last_seen_at: string;
}

/** SQL for the findings of the resources that `keys` selects, including findings that refer to several resources. */
export function findingsOfResources(tenant: string, keys: string): string {
  return `(select resource_key, severity, status, muted, last_seen_at from findings
      where tenant_id = ${tenant} and resource_key ${keys}
    union all
    select links.resource_key, linked.severity, linked.status, linked.muted, linked.last_seen_at
    from finding_resources as links
    cross join lateral (select severity, status, muted, last_seen_at from findings
      where findings.tenant_id = links.tenant_id and findings.id = links.finding_id offset 0) as linked
    where links.tenant_id = ${tenant} and links.resource_key ${keys})`;
}

/** Counts the findings of these resources. */
export async function countFindingsByResource(
  client: Queryable,
  tenantId: string,
  keys: readonly string[],
): Promise<(key: string) => ResourceCounts> {
  if (keys.length === 0) return () => resourceCounts([]);
  const { rows } = await client.query<CountRow>(
    `select resource_key, severity, count(*)::float8 as total,
       count(*) filter (where status = 'FAIL' and not muted)::float8 as failing,
       ${utcTimestamp('max(last_seen_at)')} as last_seen_at
     from ${findingsOfResources('$1', '= any($2::bigint[])')} as counted
     group by resource_key, severity`,
    [tenantId, keys],
  );
  const byKey = Map.groupBy(rows, (row) => row.resource_key);
  return (key) => resourceCounts(byKey.get(key) ?? []);
}

function resourceCounts(rows: readonly CountRow[]): ResourceCounts {
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  const bySeverity = SEVERITIES.map((name) => {
    const ofSeverity = rows.filter(({ severity }) => severity === severityId(name));
    return [name, sum(ofSeverity.map(({ failing }) => failing))];
  });
  return {
    last_seen_at:
      rows
        .map((row) => row.last_seen_at)
        .sort()
        .at(-1) ?? null,
    findings: {
      total: sum(rows.map(({ total }) => total)),
      failing: sum(rows.map(({ failing }) => failing)),
      by_severity: Object.fromEntries(bySeverity),
    },
  };
}
