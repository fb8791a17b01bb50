import type { Queryable } from '../../db/transaction.ts';
import type { PairMap } from '../../lib/pair-map.ts';
import type { CheckReference } from '../merge/ensure-checks.ts';

/** The key of a check that does not exist, which no finding refers to. */
const UNKNOWN = -1;

/** Sets the keys of checks, which are by provider type and id, and creates none. */
export async function findCheckKeys(
  client: Queryable,
  tenantId: string,
  references: PairMap<CheckReference>,
): Promise<void> {
  const { rows } = await client.query<{ key: string; providerType: string; checkId: string }>(
    `select key, provider_type as "providerType", check_id as "checkId" from checks
     where tenant_id = $1 and check_id = any($2::text[])`,
    [tenantId, [...new Set(Array.from(references.values(), ({ checkId }) => checkId))]],
  );
  for (const reference of references.values()) reference.key = UNKNOWN;
  for (const { key, providerType, checkId } of rows) {
    const reference = references.get(providerType, checkId);
    if (reference !== undefined) reference.key = Number(key);
  }
}
