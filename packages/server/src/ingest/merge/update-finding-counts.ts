import type { Queryable } from '../../db/transaction.ts';

/** The columns by which findings are counted. */
const GROUP_COLUMNS = 'provider_id, service, severity, status, muted, delta';

/**
 * Creates a table that each connection needs before it changes findings. In this table, triggers on `findings` record
 * how a transaction changes the number of findings in each group.
 */
export const CREATE_FINDING_CHANGES = `create temporary table finding_changes (provider_id uuid, ingestion_id uuid,
  scan_uid text, service text, severity smallint, status finding_status, muted boolean, delta finding_delta,
  counted_as finding_delta, number bigint, last_seen_at timestamptz) on commit delete rows`;

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
