import type { Queryable } from '../../db/transaction.ts';
import { type CheckReference, checkKey } from '../merge/ensure-checks.ts';

/** The key of a check that does not exist, which no finding refers to. */
const UNKNOWN = -1;

/** Sets the keys of checks, whose map keys are those of `checkKey`, and creates none. */
export async function findCheckKeys(
  client: Queryable,
  tenantId: string,
  references: ReadonlyMap<string, CheckReference>,
): Promise<void> {
  const { rows } = await client.query<{ key: string; providerType: string; checkId: string }>(
    `select key, provider_type as "providerType", check_id as "checkId" from checks
     where tenant_id = $1 and check_id = any($2::text[])`,
    [tenantId, [...new Set(Array.from(references.values(), ({ checkId }) => checkId))]],
  );
  const keys = new Map(rows.map((row) => [checkKey(row), Number(row.key)]));
  for (const [id, reference] of references) reference.key = keys.get(id) ?? UNKNOWN;
}
