import { SEVERITIES, type Severity, severityId } from '@sluice/ocsf';
import type { Queryable } from '../db/transaction.ts';
import { IS_OPEN } from './finding-state.ts';
import { FAILING } from './finding-totals.ts';

/** The number of open findings that name a resource. */
export interface FindingCounts {
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
}

const COUNT = `
  select resource_key, severity, count(*)::float8 as total,
    count(*) filter (where ${FAILING})::float8 as failing
  from (
    select resource_key, severity, status, muted from findings
    where tenant_id = $1 and resource_key = any($2::bigint[]) and ${IS_OPEN}
    union all
    select links.resource_key, linked.severity, linked.status, linked.muted
    from finding_resources as links
    cross join lateral (select severity, status, muted from findings
      where findings.tenant_id = $1 and findings.id = links.finding_id and ${IS_OPEN} offset 0) as linked
    where links.tenant_id = $1 and links.resource_key = any($2::bigint[])
  ) as counted group by resource_key, severity`;

/** Counts the open findings of these resources. */
export async function countFindingsByResource(
  client: Queryable,
  tenantId: string,
  keys: readonly string[],
): Promise<(key: string) => FindingCounts> {
  if (keys.length === 0) return () => sumCounts([]);
  const { rows } = await client.query<CountRow>(COUNT, [tenantId, keys]);
  const byKey = Map.groupBy(rows, (row) => row.resource_key);
  return (key) => sumCounts(byKey.get(key) ?? []);
}

function sumCounts(rows: readonly CountRow[]): FindingCounts {
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  const bySeverity = SEVERITIES.map((name) => {
    const ofSeverity = rows.filter(({ severity }) => severity === severityId(name));
    return [name, sum(ofSeverity.map(({ failing }) => failing))];
  });
  return {
    total: sum(rows.map(({ total }) => total)),
    failing: sum(rows.map(({ failing }) => failing)),
    by_severity: Object.fromEntries(bySeverity),
  };
}
