import type { DetectionFinding } from '@sluice/ocsf';
import type { Queryable } from '../../db/transaction.ts';

// In a database that the previous release has used, both releases read and write the columns and counts of the previous
// layout, so that they can run side by side. The next release removes them, and this module.

/** The columns that only the previous layout fills, with their types. `uid` is filled for every finding. */
export const PREVIOUS_COLUMNS = [
  ['check_id', 'text'],
  ['resource_uid', 'text'],
  ['resource_name', 'text'],
  ['resource_type', 'text'],
  ['region', 'text'],
  ['service', 'text'],
  ['scan_uid', 'text'],
] as const;

/** The values of `PREVIOUS_COLUMNS`. */
export function previousTexts(finding: DetectionFinding): readonly (string | null)[] {
  const [resource] = finding.resources;
  return [
    finding.checkId,
    resource?.uid ?? null,
    resource?.name ?? null,
    resource?.type ?? null,
    finding.region,
    resource?.service ?? null,
    finding.scanUid,
  ];
}

/** Whether `findings` has the previous layout. */
export async function hasPreviousLayout(client: Queryable): Promise<boolean> {
  const { rows } = await client.query<{ isPrevious: boolean }>(
    `select attnotnull as "isPrevious" from pg_attribute where attrelid = 'findings'::regclass and attname = 'check_id'`,
  );
  return rows[0]?.isPrevious ?? false;
}

/**
 * Creates a table that each connection needs before it changes findings. In this table, triggers on `findings` record
 * how a transaction changes the number of findings in each group.
 */
export const CREATE_FINDING_CHANGES = `create temporary table finding_changes (provider_id uuid, ingestion_id uuid,
  scan_uid text, service text, severity smallint, status finding_status, muted boolean, delta finding_delta,
  counted_as finding_delta, number bigint, last_seen_at timestamptz) on commit delete rows`;

/** The columns by which findings are counted. */
const GROUP_COLUMNS = 'provider_id, service, severity, status, muted, delta';

/** Ordered by group, so that two transactions never deadlock. */
const ADD_TO_COUNTS = `
  insert into finding_counts as c (tenant_id, ${GROUP_COLUMNS}, number, last_seen_at)
  select $1, ${GROUP_COLUMNS}, sum(number), max(last_seen_at) from finding_changes group by ${GROUP_COLUMNS} order by ${GROUP_COLUMNS}
  on conflict (tenant_id, ${GROUP_COLUMNS}) do update set
    number = c.number + excluded.number, last_seen_at = greatest(c.last_seen_at, excluded.last_seen_at)`;

/**
 * Applies the changes of the open transaction to the tenant's finding counts. Call it as late as possible: until the
 * transaction ends, it locks rows that all frames of the same accounts share.
 */
export async function updateFindingCounts(client: Queryable, tenantId: string): Promise<void> {
  await client.query(ADD_TO_COUNTS, [tenantId]);
}
