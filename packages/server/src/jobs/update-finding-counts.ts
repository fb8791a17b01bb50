import type { Queryable } from '../db/transaction.ts';

/** What a finding is counted by. */
const KIND = 'provider_id, service, severity, status, muted, delta';

/**
 * For each connection that changes findings, once: the triggers of that table write here what a transaction has done to
 * them, as numbers of findings that there are more, or less, of a kind.
 */
export const CREATE_FINDING_CHANGES = `create temporary table finding_changes (provider_id uuid, ingestion_id uuid,
  scan_uid text, service text, severity smallint, status finding_status, muted boolean, delta finding_delta,
  counted_as finding_delta, number bigint, last_seen_at timestamptz) on commit delete rows`;

/** In the order of the kinds, so that two transactions never wait for each other in a circle. */
const ADD_TO_COUNTS = `
  insert into finding_counts as c (tenant_id, ${KIND}, number, last_seen_at)
  select $1, ${KIND}, sum(number), max(last_seen_at) from finding_changes group by ${KIND} order by ${KIND}
  on conflict (tenant_id, ${KIND}) do update set
    number = c.number + excluded.number, last_seen_at = greatest(c.last_seen_at, excluded.last_seen_at)`;

/**
 * Adds what the open transaction has done to findings to the tenant's counts of them. To be called as late as can be:
 * all that frames of the same accounts share is locked from here to the end of the transaction.
 */
export async function updateFindingCounts(client: Queryable, tenantId: string): Promise<void> {
  await client.query(ADD_TO_COUNTS, [tenantId]);
}
