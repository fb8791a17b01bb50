import type { Queryable } from '../../db/transaction.ts';
import { utcTimestamp } from '../../db/utc-timestamp.ts';

/** Attributes that come of the counts of findings; everything else of a provider is in its own row. */
const COUNTED = ['findings', 'last_seen_at'] as const;

export interface ProviderCounts {
  readonly findings: {
    readonly total: number;
    /** FAIL and not muted. */
    readonly failing: number;
  };
  /** Of the newest record; null: there are no findings. */
  readonly last_seen_at: string | null;
}

const NOTHING: ProviderCounts = { findings: { total: 0, failing: 0 }, last_seen_at: null };

/** Whether a request for these attributes (`undefined`: all) has to count. */
export function needsProviderCounts(fields: ReadonlySet<string> | undefined): boolean {
  return fields === undefined || COUNTED.some((name) => fields.has(name));
}

/** The findings of these providers of the tenant, out of the counts that are kept of them. */
export async function countFindingsByProvider(
  client: Queryable,
  tenantId: string,
  providerIds: readonly string[],
): Promise<(providerId: string) => ProviderCounts> {
  if (providerIds.length === 0) return () => NOTHING;
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
  return (providerId) => counts.get(providerId) ?? NOTHING;
}
