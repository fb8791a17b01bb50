import type { Queryable } from '../db/transaction.ts';
import { utcTimestamp } from '../db/utc-timestamp.ts';

/** Attributes that are computed from finding counts. All other attributes are columns of the provider. */
const COUNTED = ['findings', 'last_seen_at'] as const;

export interface ProviderCounts {
  readonly findings: {
    readonly total: number;
    /** Number of findings with the status FAIL that are not muted. */
    readonly failing: number;
  };
  /** Time of the latest record; null if there are no findings. */
  readonly last_seen_at: string | null;
}

const NO_FINDINGS: ProviderCounts = { findings: { total: 0, failing: 0 }, last_seen_at: null };

/** Whether any of these attributes (`undefined` for all of them) requires finding counts. */
export function needsProviderCounts(fields: ReadonlySet<string> | undefined): boolean {
  return fields === undefined || COUNTED.some((name) => fields.has(name));
}

/** Counts the findings of these providers from the stored counts. */
export async function countFindingsByProvider(
  client: Queryable,
  tenantId: string,
  providerIds: readonly string[],
): Promise<(providerId: string) => ProviderCounts> {
  if (providerIds.length === 0) return () => NO_FINDINGS;
  const { rows } = await client.query<{
    provider_id: string;
    total: number;
    failing: number;
    last_seen_at: string;
  }>(
    `select provider_id, sum(number)::float8 as total,
       coalesce(sum(number) filter (where status = 'FAIL' and not muted), 0)::float8 as failing,
       ${utcTimestamp('max(last_seen_at)')} as last_seen_at
     from finding_counts where tenant_id = $1 and provider_id = any($2::uuid[]) group by provider_id`,
    [tenantId, providerIds],
  );
  const counts = new Map(
    rows.map(({ provider_id, total, failing, last_seen_at }) => [
      provider_id,
      { findings: { total, failing }, last_seen_at },
    ]),
  );
  return (providerId) => counts.get(providerId) ?? NO_FINDINGS;
}
