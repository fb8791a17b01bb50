import type { Severity } from '@sluice/ocsf';
import type { Queryable } from '../../db/transaction.ts';

/** Attributes that are counted out of the findings; everything else of a check is in its own row. */
const COUNTED = ['findings', 'severity'] as const;

export interface CheckName {
  readonly provider_type: string;
  readonly check_id: string;
}

export interface CheckCounts {
  readonly total: number;
  /** FAIL and not muted. */
  readonly failing: number;
  /** The highest of its findings; null: there are none. */
  readonly severity: Severity | null;
}

const NOTHING: CheckCounts = { total: 0, failing: 0, severity: null };

/** Whether a request for these attributes (`undefined`: all) has to count. */
export function needsCounts(fields: ReadonlySet<string> | undefined): boolean {
  return fields === undefined || COUNTED.some((name) => fields.has(name));
}

/** The findings of these checks of the tenant's live providers, counted together through the index of checks. */
export async function countFindings(
  client: Queryable,
  tenantId: string,
  checks: readonly CheckName[],
): Promise<(check: CheckName) => CheckCounts> {
  if (checks.length === 0) return () => NOTHING;
  // OCSF's 99, "Other", says nothing of how severe a finding is: it counts only where there is nothing else.
  const { rows } = await client.query<CheckName & CheckCounts>(
    `select p.type as provider_type, f.check_id, count(*)::float8 as total,
       count(*) filter (where f.status = 'FAIL' and not f.muted)::float8 as failing,
       coalesce(max(f.severity) filter (where f.severity <> 99), max(f.severity)) as severity
     from findings f join providers p on p.tenant_id = f.tenant_id and p.id = f.provider_id
     where f.tenant_id = $1 and f.check_id = any($2::text[]) and p.deleted_at is null
     group by p.type, f.check_id`,
    [tenantId, [...new Set(checks.map(({ check_id }) => check_id))]],
  );
  const counts = new Map(rows.map((row) => [keyOf(row), row]));
  return (check) => counts.get(keyOf(check)) ?? NOTHING;
}

/** No stored text holds U+0000. */
function keyOf({ provider_type, check_id }: CheckName): string {
  return `${provider_type}\0${check_id}`;
}
